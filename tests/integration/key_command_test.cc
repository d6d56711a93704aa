// `emptor key` as it is typed, and what the keys are good for: on a data directory and through the
// service that holds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/integration/command_test.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class KeyCommandTest : public CommandTest {
 protected:
  /// A member of the object that a command printed.
  std::string Printed(const std::string& name) const {
    const size_t begin = output_.find('{'), end = output_.find('\n', begin);
    if (begin == std::string::npos) return "";
    const auto json = catalog::ParseJson(output_.substr(begin, end - begin));
    const auto* value = json.ok() ? json->Find(name) : nullptr;
    return value != nullptr && value->is_string() ? value->as_string() : "";
  }
  void IssuesRotatesAndRevokes();
};

void KeyCommandTest::IssuesRotatesAndRevokes() {
  ASSERT_EQ(Run({"key", "issue", "browser", "--shop", "lamps", "--origin",
                 "https://Shop.example:443", "--name", "page"}),
            0)
      << output_;
  EXPECT_THAT(output_, HasSubstr(R"("origins":["https://shop.example"])"));
  EXPECT_THAT(output_, HasSubstr(R"("shop":"lamps")"));
  EXPECT_THAT(output_, HasSubstr("shown this once"));
  const std::string id = Printed("id"), key = Printed("key");
  EXPECT_THAT(key, HasSubstr("emptor_browser_" + id + "_"));
  ASSERT_EQ(Run({"key", "rotate", id, "--grace-hours", "1"}), 0) << output_;
  EXPECT_NE(Printed("key"), key);
  ASSERT_EQ(Run({"key", "revoke", id}), 0) << output_;
  EXPECT_EQ(Printed("state"), "revoked");
  ASSERT_EQ(Run({"key", "list"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr(R"("state":"revoked")"));
  EXPECT_THAT(output_, HasSubstr(R"("state":"active")"));
  EXPECT_THAT(output_, Not(HasSubstr(key)));
  EXPECT_EQ(Run({"key", "issue", "browser"}), 2);
  EXPECT_THAT(output_, HasSubstr("origins: expected 1 to 32"));
  EXPECT_EQ(Run({"key", "revoke", "00000000"}), 2);
  EXPECT_THAT(output_, HasSubstr("there is no such key"));
  EXPECT_EQ(Run({"key", "revoke", "own"}), 2);
  EXPECT_THAT(output_, HasSubstr("rotate it"));
  EXPECT_EQ(Run({"key", "audit"}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("\"last_hash\":"));
}

TEST_F(KeyCommandTest, WorksOnADataDirectory) { IssuesRotatesAndRevokes(); }

TEST_F(KeyCommandTest, WorksThroughTheServiceThatHoldsTheData) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  IssuesRotatesAndRevokes();
}

TEST_F(KeyCommandTest, CommandsFindTheKeyOfTheServiceAndSendItNowhereElse) {
  const ServiceProcess service(Path("data"), {"--model", "none"});
  const std::string feed = Write("k.jsonl", Row("k1", "Steel kettle"));
  const std::string url = "http://127.0.0.1:" + std::to_string(service.port());
  EXPECT_EQ(Run({"ingest", feed}), 0) << output_;
  EXPECT_EQ(Run({"ingest", feed, "--to", url}), 0) << output_;
  EXPECT_EQ(Run({"ingest", feed, "--to", "http://localhost:" + std::to_string(service.port())}), 0)
      << output_;
  // From another data directory there is no key.
  const auto run_elsewhere = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"ingest", feed, "--to", url, "--data-dir", Path("elsewhere")};
    all.insert(all.end(), more.begin(), more.end());
    return RunEmptor(all, &output_);
  };
  EXPECT_EQ(run_elsewhere({}), 2);
  EXPECT_THAT(output_, HasSubstr("a server or admin key is needed"));
  EXPECT_EQ(run_elsewhere({"--api-key", service.key()}), 0) << output_;
  EXPECT_EQ(run_elsewhere({"--api-key", "sk-1"}), 2);
  EXPECT_THAT(output_, HasSubstr("not known here"));
  EXPECT_EQ(run_elsewhere({"--api-key", "two words"}), 2);
  EXPECT_THAT(output_, HasSubstr("--api-key: expected one line"));
  // A server key works for its shop alone.
  ASSERT_EQ(Run({"key", "issue", "server"}), 0) << output_;
  const std::string key = Printed("key");
  EXPECT_EQ(run_elsewhere({"--api-key", key}), 0) << output_;
  EXPECT_EQ(run_elsewhere({"--api-key", key, "--shop", "lamps"}), 2);
  EXPECT_THAT(output_, HasSubstr("another shop"));
}

TEST_F(KeyCommandTest, AnAddressThatOthersReachNeedsAKeyOrInsecure) {
  const std::vector<std::string> serve = {"serve",     "--model",        "none",       "--listen",
                                          "0.0.0.0:0", "--admin-listen", "127.0.0.1:0"};
  EXPECT_EQ(Run(serve), 2);
  EXPECT_THAT(output_, HasSubstr("emptor key issue server --data-dir " + Path("data")));
  EXPECT_THAT(output_, HasSubstr("--insecure"));
  const auto says = [&](const std::string& text, std::vector<std::string> more) {
    std::vector<std::string> command = {EmptorPath()};
    command.insert(command.end(), serve.begin(), serve.end());
    command.insert(command.end(), {"--data-dir", Path("data")});
    command.insert(command.end(), more.begin(), more.end());
    ChildProcess process(command);
    const bool has_said = process.ReadUntil(text, std::chrono::seconds(60)).has_value();
    output_ = process.output();
    return has_said;
  };
  EXPECT_TRUE(says("reads and asks without a key", {"--insecure"})) << output_;
  EXPECT_THAT(output_, HasSubstr("key in " + Path("data") + "/admin.key"));
  ASSERT_EQ(Run({"key", "issue", "server"}), 0) << output_;
  EXPECT_TRUE(says("ready\n", {})) << output_;
  EXPECT_EQ(RunEmptor({"engine", "serve", "--model", "none", "--embedder", "none", "--listen",
                       "0.0.0.0:0", "--http", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
                       "--data-dir", Path("data")},
                      &output_),
            2);
  EXPECT_THAT(output_, HasSubstr("gRPC checks no keys"));
}

TEST_F(KeyCommandTest, AChangeOfTheAuditLogIsFound) {
  for (int i = 0; i < 3; ++i) ASSERT_EQ(Run({"key", "issue", "server"}), 0) << output_;
  const std::string path = Path("data") + "/keys/audit.log";
  std::vector<std::string> lines;
  {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(Run({"key", "audit"}), 0) << output_;
  std::ofstream(path, std::ios::trunc) << lines[0] << "\n" << lines[2] << "\n";
  EXPECT_EQ(Run({"key", "audit"}), 2);
  EXPECT_THAT(output_, HasSubstr("audit.log:2: does not follow"));
}

}  // namespace
}  // namespace emptor::testing
