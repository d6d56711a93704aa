// `emptor bench` as it is typed: tables, JSON, pages and refusals. How speed is measured is
// speed_meter_test's, how a server is loaded is load_client_test's.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "catalog/encoding/json.h"
#include "gtest/gtest.h"
#include "services/http/http_server.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using catalog::ParseJson;

std::string TemporaryPath(const std::string& name) {
  return ::testing::TempDir() + "bench_command_" + std::to_string(getpid()) + "_" + name;
}

std::string ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string WriteModel() {
  const std::string path = TemporaryPath("model.gguf");
  std::string output;
  EXPECT_EQ(RunEmptor({"model", "random", "--shape", "stories260k,layers=2", "--output", path,
                       "--type", "f16"},
                      &output),
            0)
      << output;
  return path;
}

TEST(BenchEngineCommandTest, PrintsALineForEachRoundAndWritesAPage) {
  const std::string model = WriteModel(), page = TemporaryPath("engine.html");
  std::string output;
  ASSERT_EQ(RunEmptor({"bench",
                       "engine",
                       model,
                       "--threads",
                       "2",
                       "--prompt",
                       "8,16",
                       "--batch",
                       "1,3",
                       "--depth",
                       "4",
                       "--tokens",
                       "2",
                       "--rounds",
                       "2",
                       "--min-seconds",
                       "0",
                       "--json",
                       "--read-buffer",
                       "16",
                       "--report",
                       page},
                      &output),
            0)
      << output;
  ASSERT_EQ(std::count(output.begin(), output.end(), '\n'), 2) << output;
  const auto round = ParseJson(std::string_view(output).substr(0, output.find('\n')));
  ASSERT_TRUE(round.ok()) << round.status();
  EXPECT_EQ(round->Find("type")->as_string(), "F16");
  EXPECT_EQ(round->Find("prefill")->as_array().size(), 2u);
  ASSERT_EQ(round->Find("decode")->as_array().size(), 2u);
  EXPECT_GT(round->Find("decode")->as_array()[1].Find("tokens_per_second")->as_double(), 0);
  EXPECT_GT(round->Find("peak_operations_per_second")->Find("f32")->as_double(), 0);
  EXPECT_NE(ReadWhole(page).find("</html>"), std::string::npos);
  std::filesystem::remove(page);
  std::filesystem::remove(model);
}

/// Runs `bench engine` on a small model, as a table with a page and as JSON, which it gives parsed.
catalog::JsonValue RunMode(const std::vector<std::string>& flags, const std::string& in_table) {
  const std::string model = WriteModel(), page = TemporaryPath("mode.html");
  std::vector<std::string> arguments = {"bench", "engine", model, "--rounds", "2"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  std::vector<std::string> with_page = arguments;
  with_page.insert(with_page.end(), {"--report", page});
  std::string output;
  EXPECT_EQ(RunEmptor(with_page, &output), 0) << output;
  EXPECT_NE(output.find(in_table), std::string::npos) << output;
  EXPECT_NE(ReadWhole(page).find("</html>"), std::string::npos);
  arguments.push_back("--json");
  output.clear();
  EXPECT_EQ(RunEmptor(arguments, &output), 0) << output;
  std::filesystem::remove(page);
  std::filesystem::remove(model);
  auto json = ParseJson(std::string_view(output).substr(0, output.find('\n')));
  EXPECT_TRUE(json.ok()) << output;
  return json.ok() ? *std::move(json) : catalog::JsonValue();
}

TEST(BenchEngineCommandTest, ComparesContinuousWithStaticBatching) {
  const auto json = RunMode(
      {"--batching", "--requests", "6", "--together", "3", "--input", "5", "--output", "4",
       "--static-together", "2,3", "--kv-block", "1", "--load", "10", "--tpot-limit", "100000"},
      "whole answer p99");
  EXPECT_EQ(json.Find("together")->as_int(), 3);
  EXPECT_TRUE(json.Find("tpot_p99_limit_kept")->as_bool());
  EXPECT_EQ(json.Find("kv_waste")->as_double(), 0);
  EXPECT_GT(json.Find("speedup")->Find("median")->as_double(), 0);
}

TEST(BenchEngineCommandTest, ComparesFewUsersWithMany) {
  const auto json = RunMode({"--concurrency", "--users", "2,4", "--requests", "8", "--input", "5",
                             "--output", "4", "--load", "10"},
                            "first token p99 grows");
  ASSERT_EQ(json.Find("ways")->as_array().size(), 3u);
  EXPECT_EQ(json.Find("ways")->as_array()[0].Find("users")->as_array()[1].Find("users")->as_int(),
            4);
}

TEST(BenchEngineCommandTest, ComparesColdWithWarmPrompts) {
  const auto json = RunMode({"--prefix", "40", "--kv-block", "8"}, "warm over cold");
  EXPECT_EQ(json.Find("cached_tokens")->as_int(), 40);
  EXPECT_GT(json.Find("look_up_seconds")->Find("median")->as_double(), 0);
}

TEST(BenchEngineCommandTest, DecodesNextToABusyProcess) {
  const auto json = RunMode({"--neighbour", "--tokens", "4", "--depth", "8"}, "share that is kept");
  EXPECT_GT(json.Find("share_kept")->Find("median")->as_double(), 0);
}

TEST(BenchCacheCommandTest, MeasuresAnswersThatAreGivenAgainAndReplaysPolicies) {
  TemporaryDirectory directory;
  IngestSampleShop(directory.path() + "/shop");
  const std::string questions = directory.path() + "/questions.txt";
  std::ofstream(questions) << "quiet kettle\n\nlaptop backpack\nthe cheapest kettle\n";
  std::string output;
  ASSERT_EQ(RunEmptor({"bench", "cache", "--data-dir", directory.path() + "/shop", "--model",
                       "none", "--queries-file", questions, "--rounds", "1", "--threads", "2",
                       "--requests", "1000", "--json"},
                      &output),
            0)
      << output;
  const auto json = catalog::ParseJson(output);
  ASSERT_TRUE(json.ok()) << output;
  EXPECT_EQ(json->Find("questions")->as_int(), 3);
  EXPECT_EQ(json->Find("kept")->as_int(), 3);
  EXPECT_EQ(json->Find("given_again")->Find("number")->as_int(), 3);
  EXPECT_EQ(json->Find("throughput")->as_array().size(), 1u);
  EXPECT_EQ(json->Find("replays")->as_array().size(), 5u * 4u * 4u);
  EXPECT_EQ(RunEmptor({"bench", "cache", "--queries-file", directory.path() + "/none"}, &output),
            2);
}

TEST(BenchEngineCommandTest, RefusesWithAReason) {
  std::string output;
  EXPECT_EQ(RunEmptor({"bench", "engine", "--rounds", "0"}, &output), 2);
  EXPECT_NE(output.find("rounds: expected 1 to 10000, found 0"), std::string::npos) << output;
  EXPECT_NE(RunEmptor({"bench", "engine", "--batching", "--neighbour"}, &output), 0);
  EXPECT_NE(output.find("excludes"), std::string::npos) << output;
  EXPECT_EQ(RunEmptor({"bench", "engine", "--isa", "mmx"}, &output), 2);
  EXPECT_NE(output.find("--isa: unknown: mmx"), std::string::npos) << output;
  const std::string absent = TemporaryPath("absent.gguf");
  EXPECT_EQ(RunEmptor({"bench", "engine", absent}, &output), 2);
  EXPECT_NE(output.find(absent), std::string::npos) << output;
  EXPECT_EQ(RunEmptor({"bench", "engine", absent, "--batching", "--trace", absent}, &output), 2);
  EXPECT_NE(output.find(absent), std::string::npos) << output;
}

/// A server with one model that answers every prompt with two tokens. It counts two tokens a word,
/// and refuses ignore_eos.
class SmallServer {
 public:
  SmallServer() : server_(std::make_unique<services::HttpServer>()) {
    const absl::Status status =
        server_->Start([](std::shared_ptr<services::Exchange> exchange) { Answer(*exchange); });
    EXPECT_TRUE(status.ok()) << status;
  }
  ~SmallServer() { server_->Stop(); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

 private:
  static void Answer(services::Exchange& exchange) {
    if (exchange.request().path == "/v1/models") {
      exchange.Respond({.body = R"({"object":"list","data":[{"id":"small","object":"model"}]})"});
      return;
    }
    const std::string& body = exchange.request().body;
    if (body.find("ignore_eos") != std::string::npos) {
      exchange.Respond({.status = 400, .body = R"({"error":{"message":"ignore_eos: unknown"}})"});
      return;
    }
    const auto json = ParseJson(body);
    const std::string& prompt = json->Find("prompt")->as_string();
    const auto words = std::count(prompt.begin(), prompt.end(), ' ') + 1;
    const auto sink = exchange.StartSse({});
    sink->Push(
        "data: {\"choices\":[{\"text\":\"a\"}]}\n\ndata: {\"choices\":[{\"text\":\"b\"}]}\n\n");
    sink->Push("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" + std::to_string(2 * words) +
               ",\"completion_tokens\":2}}\n\ndata: [DONE]\n\n");
    sink->Finish();
  }

  std::unique_ptr<services::HttpServer> server_;
};

TEST(BenchServeCommandTest, LearnsTheServerAndReportsWhatItDid) {
  SmallServer server;
  const std::string page = TemporaryPath("serve.html");
  std::string output;
  ASSERT_EQ(RunEmptor({"bench", "serve", "--url", server.url() + "/v1", "--users", "2",
                       "--requests", "12", "--input", "30", "--output", "2", "--json",
                       "--price-per-hour", "1", "--slo", "ttft=60s", "--report", page},
                      &output),
            0)
      << output;
  const auto json = ParseJson(std::string_view(output).substr(0, output.find('\n')));
  ASSERT_TRUE(json.ok()) << output;
  EXPECT_EQ(json->Find("model")->as_string(), "small");
  EXPECT_EQ(json->Find("completed")->as_int(), 12);
  EXPECT_EQ(json->Find("good")->as_int(), 12);
  EXPECT_EQ(json->Find("input_tokens")->as_double(), 12 * 30);
  EXPECT_EQ(json->Find("output_tokens")->as_double(), 24);
  EXPECT_GT(json->Find("cost_per_million_tokens")->Find("blended_3_to_1")->as_double(), 0);
  EXPECT_NE(ReadWhole(page).find("</html>"), std::string::npos);
  std::filesystem::remove(page);
}

TEST(BenchServeCommandTest, RefusesWithAReason) {
  std::string output;
  const std::string url = "http://127.0.0.1:1";
  EXPECT_EQ(RunEmptor({"bench", "serve", "--url", url}, &output), 2);
  EXPECT_NE(output.find("expected one of --rate, --users and --trace, found 0"), std::string::npos)
      << output;
  EXPECT_EQ(
      RunEmptor({"bench", "serve", "--url", url, "--rate", "1", "--slo", "speed=1s"}, &output), 2);
  EXPECT_NE(output.find("slo: expected"), std::string::npos) << output;
  EXPECT_EQ(RunEmptor({"bench", "serve", "--url", url, "--users", "1", "--model", "m"}, &output),
            2);
  EXPECT_NE(output.find("a first short request failed: connect"), std::string::npos) << output;
  EXPECT_EQ(RunEmptor({"bench", "serve", "--url", url, "--users", "1"}, &output), 2);
  EXPECT_NE(output.find(url), std::string::npos) << output;
}

}  // namespace
}  // namespace emptor::testing
