// Feeds as a shell hands them over, and as `emptor shop rebuild` reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/command_test.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FeedCommandTest : public CommandTest {
 protected:
  void RebuildsWithAMapping();
};

TEST_F(FeedCommandTest, AFeedMayComeOutOfAPipe) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  std::thread writer([this] { Write("pipe", Row("k1", "Kettle") + Row("k2", "Kettle")); });
  EXPECT_EQ(Run({"ingest", Path("pipe")}), 0) << output_;
  writer.join();
  EXPECT_THAT(output_, HasSubstr("2 lines: 2 created"));
}

TEST_F(FeedCommandTest, ADirectoryIsNoFeed) {
  EXPECT_EQ(Run({"ingest", directory_.path()}), 2);
  EXPECT_THAT(output_, HasSubstr(directory_.path() + ": is a directory"));
}

TEST_F(FeedCommandTest, NamesTheFileThatListsWhatWasLeftOut) {
  const std::string feed = Write("f.csv", "id,title,rating\nk1,Kettle,free\n");
  EXPECT_EQ(Run({"ingest", feed}), 0);
  EXPECT_THAT(output_, HasSubstr("/jobs/job-00000001/results.jsonl"));
  EXPECT_EQ(Run({"ingest", feed, "--currency", "eur"}), 2);
  EXPECT_THAT(output_, HasSubstr("currency: expected a currency of ISO 4217, found \"eur\""));
  EXPECT_EQ(Run({"ingest", feed, "--locale", "de_DE"}), 2);
  EXPECT_THAT(output_, HasSubstr("locale: expected a tag like en-US, found \"de_DE\""));
}

TEST_F(FeedCommandTest, AmountsWithoutACurrencyNeedOneBeforeAnythingIsWritten) {
  const std::string feed = Write("f.csv", "id,title,price\nk1,Kettle,\nk2,Pot,12.50\n");
  const std::vector<std::string> plain = {"ingest", feed}, dry = {"ingest", feed, "--dry-run"};
  for (const auto& arguments : {dry, plain}) {
    EXPECT_EQ(Run(arguments), 2);
    EXPECT_THAT(output_, HasSubstr("line 3: price: the amount names no currency"));
    EXPECT_THAT(output_, HasSubstr("--currency EUR"));
  }
  EXPECT_EQ(Run({"search", "Kettle", "--json"}), 0);
  EXPECT_THAT(output_, HasSubstr("\"items\":[]"));
  EXPECT_EQ(Run({"ingest", feed, "--currency", "INR"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("2 lines: 2 created"));
  const std::string more = Write("g.csv", "id,title,price\nk3,Pan,7\n");
  EXPECT_EQ(Run({"ingest", more}), 0) << "in the currency of the shop's prices: " << output_;
  EXPECT_EQ(Run({"search", "Pan", "--json"}), 0);
  EXPECT_THAT(output_, HasSubstr("\"price\":{\"amount\":700,\"currency\":\"INR\"}"));
}

TEST_F(FeedCommandTest, ThroughAServiceTheCurrencyIsAskedForToo) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  const std::string feed = Write("f.csv", "id,title,price\nk2,Pot,12.50\n");
  EXPECT_EQ(Run({"ingest", feed}), 2);
  EXPECT_THAT(output_, HasSubstr("currency=EUR"));
  EXPECT_EQ(Run({"ingest", feed, "--currency", "INR"}), 0) << output_;
}

TEST_F(FeedCommandTest, StrictRefusesTheRowsThatAreRepairedOtherwise) {
  const std::string feed = Write("f.jsonl", "{\"id\":\"k1\",\"title\":\"Kettle\",\"mpn\":\"" +
                                                std::string(129, 'x') + "\"}\n");
  EXPECT_EQ(Run({"ingest", feed, "--strict"}), 1);
  EXPECT_THAT(output_, HasSubstr("f.jsonl:1: mpn: 129 bytes, at most 128 are allowed"));
  EXPECT_EQ(Run({"ingest", feed}), 0);
  EXPECT_THAT(output_, HasSubstr("1 created"));
  EXPECT_THAT(output_, HasSubstr("1 with warnings"));
}

// Behind a line feed of UTF-16 stands half a character.
TEST_F(FeedCommandTest, WideTextIsNotCutInPiecesForAService) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  std::string wide = "\xFF\xFE";
  for (int i = 0; i < 3000; ++i) {
    const std::string line = Row("k" + std::to_string(i), "Kettle " + std::string(200, 'x'));
    for (const char c : line) wide += {c, '\0'};
  }
  EXPECT_EQ(Run({"ingest", Write("wide.jsonl", wide)}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("3000 lines: 3000 created"));
}

void FeedCommandTest::RebuildsWithAMapping() {
  const std::string feed = Write("f.csv", "Nr;Name;Preis\n7;Pfanne;12,50\n8;Topf\n9;A;B;C\n");
  const std::string mapping = Write("mapping.yaml",
                                    "currency: EUR\nlocale: de-DE\ncolumns:\n  Nr: id\n"
                                    "  Name: title\n  Preis: price\n");
  EXPECT_EQ(Run({"ingest", Write("k.jsonl", Row("7", "Pan") + Row("8", "Pot"))}), 0) << output_;
  EXPECT_EQ(Run({"shop", "rebuild", "default", feed, "--columns", mapping}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("\"created\":2"));
  EXPECT_THAT(output_, HasSubstr("\"refused\":[{\"line\":4,"));
  EXPECT_EQ(Run({"search", "Pfanne", "--json"}), 0);
  EXPECT_THAT(output_, HasSubstr("\"price\":{\"amount\":1250,\"currency\":\"EUR\"}"));
  EXPECT_EQ(Run({"shop", "rebuild", "default", feed, "--columns", Path("absent.yaml")}), 2);
  EXPECT_THAT(output_, HasSubstr("absent.yaml: cannot be read"));
}

TEST_F(FeedCommandTest, RebuildsWithAMappingOnADataDirectory) { RebuildsWithAMapping(); }

TEST_F(FeedCommandTest, RebuildsWithAMappingThroughAService) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  RebuildsWithAMapping();
}

TEST_F(FeedCommandTest, InvalidShopNamesAreReportedAsSuch) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  for (const char* name : {"a/b", "..", ""}) {
    EXPECT_EQ(Run({"shop", "create", name}), 2) << name;
    EXPECT_THAT(output_, HasSubstr("shop: expected up to 63 of a-z")) << name;
    EXPECT_THAT(output_, Not(HasSubstr("route"))) << name;
  }
}

}  // namespace
}  // namespace emptor::testing
