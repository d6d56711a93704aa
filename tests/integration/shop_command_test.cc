// `emptor shop` and `--shop` as they are typed, on a data directory and through a service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/command_test.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ShopCommandTest : public CommandTest {
 protected:
  /// The same whether a service runs there or not.
  void MakesFillsRebuildsAndDeletesAShop();
  void SaysWhatIsNotThere();
};

void ShopCommandTest::MakesFillsRebuildsAndDeletesAShop() {
  const std::string kettles = Write("k.jsonl", Row("k1", "Steel kettle") + Row("k2", "Kettle"));
  const std::string lamps = Write("l.jsonl", Row("l1", "Desk lamp") + Row("l2", "Floor lamp"));
  EXPECT_EQ(Run({"shop", "create", "lamps"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("\"shop\":\"lamps\""));
  EXPECT_EQ(Run({"shop", "create", "lamps"}), 2);
  EXPECT_THAT(output_, HasSubstr("lamps"));

  EXPECT_EQ(Run({"ingest", kettles}), 0) << output_;
  EXPECT_EQ(Run({"ingest", "--shop", "lamps", lamps}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("2 created"));
  EXPECT_EQ(Run({"search", "--shop", "lamps", "lamp"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("Desk lamp"));
  EXPECT_EQ(Run({"search", "lamp"}), 0) << output_;
  EXPECT_THAT(output_, Not(HasSubstr("Desk lamp")));
  EXPECT_EQ(Run({"search", "kettle"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("Steel kettle"));
  EXPECT_EQ(Run({"shop", "list"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("\"name\":\"default\""));
  EXPECT_THAT(output_, HasSubstr("\"name\":\"lamps\""));

  const std::string next = Write("n.jsonl", Row("l1", "Desk lamp") + Row("l3", "Wall lamp"));
  EXPECT_EQ(Run({"shop", "rebuild", "lamps", next, "--canary", "wall lamp=>l3"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("\"created\":2"));
  EXPECT_EQ(Run({"search", "--shop", "lamps", "wall lamp"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("Wall lamp"));
  const std::string few = Write("f.jsonl", Row("l1", "Desk lamp"));
  EXPECT_EQ(Run({"shop", "rebuild", "lamps", few}), 2);
  EXPECT_THAT(output_, HasSubstr("min_share"));
  EXPECT_EQ(Run({"shop", "rebuild", "lamps", next, "--canary", "wall lamp=>l2"}), 2);
  EXPECT_THAT(output_, HasSubstr("canary"));
  EXPECT_EQ(Run({"shop", "rollback", "lamps"}), 0) << output_;
  EXPECT_EQ(Run({"search", "--shop", "lamps", "floor lamp"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("Floor lamp"));

  EXPECT_EQ(Run({"shop", "delete", "lamps"}), 0) << output_;
  EXPECT_EQ(Run({"shop", "list"}), 0) << output_;
  EXPECT_THAT(output_, Not(HasSubstr("\"name\":\"lamps\"")));
  EXPECT_EQ(Run({"shop", "delete", "default"}), 2);
  EXPECT_EQ(Run({"search", "kettle"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("Steel kettle"));
}

void ShopCommandTest::SaysWhatIsNotThere() {
  const std::string feed = Write("k.jsonl", Row("k1", "Steel kettle"));
  EXPECT_EQ(Run({"ingest", feed}), 0) << output_;
  const char* hint = "shop: there is no \"shoes\" (\"emptor shop list\" names those that exist";
  EXPECT_EQ(Run({"ingest", "--shop", "shoes", feed}), 2);
  EXPECT_THAT(output_, HasSubstr(hint));
  EXPECT_EQ(Run({"search", "--shop", "shoes", "kettle"}), 2);
  EXPECT_THAT(output_, HasSubstr(hint));
  EXPECT_EQ(Run({"ask", "--shop", "shoes", "--model", "none", "A kettle?"}), 2);
  EXPECT_THAT(output_, HasSubstr(hint));
  EXPECT_EQ(Run({"search", "--shop", "../k", "kettle"}), 2);
  EXPECT_THAT(output_, HasSubstr("shop: expected up to 63 of a-z"));
  EXPECT_EQ(Run({"shop", "rollback", "default"}), 2);
  EXPECT_THAT(output_, HasSubstr("no generation before"));
  EXPECT_EQ(Run({"shop", "rebuild", "default", Path("absent.jsonl")}), 2);
  EXPECT_THAT(output_, HasSubstr("absent.jsonl: cannot be read"));
  EXPECT_EQ(Run({"shop", "delete", "shoes"}), 2);
  EXPECT_THAT(output_, HasSubstr("there is no \"shoes\""));
}

TEST_F(ShopCommandTest, WorksOnADataDirectory) { MakesFillsRebuildsAndDeletesAShop(); }

TEST_F(ShopCommandTest, WorksThroughTheServiceThatHoldsTheData) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  MakesFillsRebuildsAndDeletesAShop();
}

TEST_F(ShopCommandTest, ADataDirectoryInUseIsRefusedWithTheProcessThatServesIt) {
  const std::string held = Path("data") + ": process ";
  const std::string advice = ": stop that service, or choose another --data-dir";
  const std::string judgments = Write("j.tsv", "kettle\tk1\t1\n");
  {
    ServiceProcess service(Path("data"), {"--model", "none"});
    const std::string serves = held + std::to_string(service.process().pid()) +
                               " serves it at http://127.0.0.1:" + std::to_string(service.port());
    const std::vector<std::vector<std::string>> commands = {
        {"serve", "--model", "none", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"},
        {"verify"},
        {"eval", "retrieval", "--judgments", judgments}};
    for (const auto& command : commands) {
      EXPECT_EQ(Run(command), 2) << command[0];
      EXPECT_THAT(output_, HasSubstr(serves + advice)) << command[0];
      EXPECT_THAT(output_, Not(HasSubstr("IO error"))) << command[0];
    }
    EXPECT_EQ(Run({"restore", "--from", Path("backup")}), 2);
    EXPECT_THAT(output_, HasSubstr(serves + ": stop that service, restore, start it again"));
    EXPECT_EQ(Run({"backup", "--to", Path("backup")}), 2);
    EXPECT_THAT(output_, HasSubstr("backup_roots"));
    EXPECT_EQ(Run({"backup", "--to", Path("data") + "/backups"}), 0) << output_;
    std::filesystem::remove(Path("data") + "/service.json");  // as before a service is ready
    EXPECT_EQ(Run({"verify"}), 2);
    EXPECT_THAT(output_, HasSubstr("another process uses it: wait for it to end"));
  }
  EXPECT_EQ(Run({"verify"}), 0) << output_;
}

TEST_F(ShopCommandTest, SaysWhatIsNotThereOnADataDirectory) { SaysWhatIsNotThere(); }

TEST_F(ShopCommandTest, SaysWhatIsNotThereThroughAService) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  SaysWhatIsNotThere();
}

TEST_F(ShopCommandTest, AsksTheShopThatIsNamed) {
  EXPECT_EQ(Run({"shop", "create", "lamps"}), 0) << output_;
  EXPECT_EQ(Run({"ingest", "--shop", "lamps", Write("l.jsonl", Row("l1", "Desk lamp"))}), 0);
  EXPECT_EQ(Run({"ask", "--shop", "lamps", "--model", "none", "Do you have a desk lamp?"}), 0);
  EXPECT_THAT(output_, HasSubstr("Desk lamp"));
  const ServiceProcess service(Path("data"), {"--model", "none"});
  EXPECT_EQ(Run({"ask", "--shop", "lamps", "Do you have a desk lamp?"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("Desk lamp"));
}

/// Whoever ingests, the job is looked up in the same place.
TEST_F(ShopCommandTest, AJobOfTheCommandIsShownByTheService) {
  EXPECT_EQ(Run({"ingest", Write("k.jsonl", Row("k1", "Steel kettle") + "{\"id\":1}\n")}), 1);
  const ServiceProcess service(Path("data"), {"--model", "none"});
  const HttpReply results = service.Change("GET", "/v1/jobs/job-00000001/results", "");
  EXPECT_THAT(results.body, HasSubstr("{\"line\":1,\"id\":\"k1\",\"status\":\"created\"}"));
  const HttpReply letters = service.Change("GET", "/v1/jobs/job-00000001/dead_letters", "");
  EXPECT_THAT(letters.body, HasSubstr("\"line\":2"));
}

}  // namespace
}  // namespace emptor::testing
