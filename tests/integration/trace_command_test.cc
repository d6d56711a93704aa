// `emptor ask --trace` and `--replay` as they are typed, and the traces that a service keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;

class TraceCommandTest : public ::testing::Test {
 protected:
  TraceCommandTest() { Import(4999); }

  void Import(int price) {
    std::ofstream(directory_.path() + "/feed.jsonl")
        << R"({"id":"k1","title":"Torvane Kettle K1","price":{"amount":)" << price
        << R"(,"currency":"USD"},"locale":"en-US"})"
        << "\n"
        << R"({"id":"k2","title":"Torvane Kettle K2","price":{"amount":3999,"currency":"USD"},)"
        << R"("locale":"en-US"})"
        << "\n";
    EXPECT_EQ(
        RunEmptor({"ingest", directory_.path() + "/feed.jsonl", "--data-dir", shop_}, &output_), 0)
        << output_;
  }
  int Ask(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"ask", "--data-dir", shop_};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunEmptor(all, &output_);
  }

  const TemporaryDirectory directory_;
  const std::string shop_ = directory_.path() + "/shop";
  std::string output_;
};

TEST_F(TraceCommandTest, AFileIsWrittenAndRunAgain) {
  const std::string file = directory_.path() + "/t.json";
  ASSERT_EQ(Ask({"Torvane Kettle K1", "--model", "none", "--trace", file}), 0) << output_;
  EXPECT_EQ(Ask({"--replay", file}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("same text, same prompt"));
  EXPECT_THAT(output_, HasSubstr("$49.99"));
  EXPECT_FALSE(std::filesystem::exists(shop_ + "/conversations")) << "a command stores nothing";
  Import(5999);
  EXPECT_EQ(Ask({"--replay", file}), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("another text, another prompt"));
  EXPECT_THAT(output_, ::testing::ContainsRegex("\n- .*49.99"));
  EXPECT_THAT(output_, ::testing::ContainsRegex("\n\\+ .*59.99"));
  EXPECT_EQ(Ask({"--replay", directory_.path() + "/feed.jsonl"}), 2);
  EXPECT_THAT(output_, HasSubstr("trace: not the JSON of a trace"));
  EXPECT_EQ(Ask({"--replay", directory_.path() + "/none.json"}), 2);
  EXPECT_THAT(output_, HasSubstr("expected a file of `emptor ask --trace`, or the id"));
  EXPECT_EQ(Ask({}), 106);
  EXPECT_THAT(output_, HasSubstr("QUESTION is required"));
}

TEST_F(TraceCommandTest, AServiceKeepsTracesWithItsConversations) {
  std::string answer_id;
  std::string text;
  {
    const std::string settings = directory_.path() + "/emptor.yaml";
    std::ofstream(settings) << "model: none\ntrace_megabytes: 1\n";
    ServiceProcess service(shop_, {"--config", settings});
    const Answer first = service.Ask("Torvane kettles");
    ASSERT_FALSE(first.events.empty());
    const auto start = catalog::ParseJson(first.events[0].data);
    ASSERT_TRUE(start.ok());
    const std::string conversation = start->Find("conversation_id")->as_string();
    const Answer second =
        service.Ask("tell me about the second one", R"("conversation_id":")" + conversation + "\"");
    answer_id = catalog::ParseJson(second.events[0].data)->Find("id")->as_string();
    text = second.text;
    EXPECT_EQ(Ask({"Torvane", "--trace", directory_.path() + "/x.json"}), 2);
    EXPECT_THAT(output_, HasSubstr("--trace: the service at"));
    EXPECT_GT(service.Metric("emptor_answer_trace_bytes"), 0);
    service.process().Signal(SIGTERM);
    EXPECT_EQ(service.process().Wait(std::chrono::seconds(30)), 0);
  }
  EXPECT_EQ(Ask({"--replay", answer_id}), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("replay of " + answer_id + ": same text, same prompt"));
  EXPECT_EQ(Ask({"--replay", "a_0123456789ab"}), 2);
  EXPECT_THAT(output_, HasSubstr("no trace of answer a_0123456789ab"));
}

}  // namespace
}  // namespace emptor::testing
