// SIGTERM to the built executable: what runs may finish, what is late ends with an error event.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// `emptor serve` or `emptor engine serve` with a model of random weights and an 8k context.
class Server {
 public:
  Server(const std::string& role, int drain_ms) {
    const std::string model = directory_.path() + "/random.gguf";
    std::string output;
    const int code = RunEmptor(
        {"model", "random", "--shape", "emptor-lm,vocabulary=512,context=8192", "--output", model},
        &output);
    if (code != 0) throw std::runtime_error(output);
    const std::string config = directory_.path() + "/emptor.yaml";
    std::ofstream(config) << "drain_ms: " << drain_ms << "\n";
    std::vector<std::string> command = {EmptorPath()};
    if (role == "serve") {
      command.insert(command.end(), {"serve", "--data-dir", directory_.path() + "/shop", "--listen",
                                     "127.0.0.1:0"});
    } else {
      command.insert(command.end(),
                     {"engine", "serve", "--embedder", "none", "--listen", "none", "--http",
                      "127.0.0.1:0", "--data-dir", directory_.path() + "/engine"});
    }
    command.insert(command.end(),
                   {"--admin-listen", "127.0.0.1:0", "--model", model, "--config", config});
    process_ = std::make_unique<ChildProcess>(command);
    const auto ready = process_->ReadUntil("ready\n", milliseconds(60000));
    if (!ready) throw std::runtime_error(role + " did not start:\n" + process_->output());
    port = PortAfter(*ready, "serving on http://127.0.0.1:");
    admin_port = PortAfter(*ready, "admin on http://127.0.0.1:");
  }

  /// Until the engine runs a request. False: it did not begin in time.
  bool WaitUntilItGenerates() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      std::istringstream metrics(Fetch(admin_port, "GET", "/metrics").body);
      for (std::string line; std::getline(metrics, line);) {
        if (line.starts_with("emptor_engine_requests_running") && !line.ends_with(" 0"))
          return true;
      }
    }
    return false;
  }
  void Terminate() const { process_->Signal(SIGTERM); }
  /// The exit code. The output ends with the line of the stop.
  int Wait() { return process_->Wait(milliseconds(60000)); }
  const std::string& output() const { return process_->output(); }

  int port = 0, admin_port = 0;

 private:
  static int PortAfter(const std::string& text, std::string_view prefix) {
    const size_t at = text.find(prefix);
    if (at == std::string::npos) throw std::runtime_error("no port in:\n" + text);
    return std::stoi(text.substr(at + prefix.size()));
  }

  TemporaryDirectory directory_;
  std::unique_ptr<ChildProcess> process_;
};

std::string LongCompletion(int tokens, bool stream) {
  return R"({"prompt":"hello","ignore_eos":true,"max_tokens":)" + std::to_string(tokens) +
         R"(,"stream":)" + (stream ? "true}" : "false}");
}

class DrainTest : public ::testing::TestWithParam<const char*> {};

TEST_P(DrainTest, ARunningStreamFinishesWhileNewRequestsAreRefused) {
  Server server(GetParam(), 60000);
  bool is_stopping = false, is_refused = false;
  HttpReply refused;
  std::string last;
  const HttpReply reply = Fetch(server.port, "POST", "/v1/completions", LongCompletion(3000, true),
                                [&](const SseEvent& event) {
                                  last = event.data;
                                  if (!is_stopping) server.Terminate();
                                  is_stopping = true;
                                  if (is_refused) return true;
                                  refused = Fetch(server.port, "GET", "/v1/models");
                                  is_refused = refused.status == 503;
                                  return true;
                                });
  EXPECT_EQ(reply.status, 200);
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(last, "[DONE]");
  EXPECT_TRUE(is_refused) << "the answer was too short to see it";
  EXPECT_THAT(refused.head, HasSubstr("Retry-After: 1"));
  EXPECT_THAT(refused.body, HasSubstr(R"("code":"unavailable")"));
  EXPECT_EQ(server.Wait(), 0);
  // A look-up that came in before the drain began is finished as well.
  EXPECT_THAT(server.output(), AnyOf(HasSubstr(R"("event":"stopped","finished":1,"cut":0})"),
                                     HasSubstr(R"("event":"stopped","finished":2,"cut":0})")));
}

TEST_P(DrainTest, LateAnswersEndWithAnError) {
  Server server(GetParam(), 100);
  HttpConnection plain(server.port);
  ASSERT_TRUE(plain.SendRequest("POST", "/v1/completions", LongCompletion(8000, false)));
  ASSERT_TRUE(server.WaitUntilItGenerates()) << "else the server may read it while it drains";
  bool is_stopping = false;
  int ready = 200;
  std::string last;
  const HttpReply reply = Fetch(server.port, "POST", "/v1/completions", LongCompletion(8000, true),
                                [&](const SseEvent& event) {
                                  last = event.data;
                                  if (!is_stopping) server.Terminate();
                                  is_stopping = true;
                                  if (ready == 200) {
                                    ready = Fetch(server.admin_port, "GET", "/readyz").status;
                                  }
                                  return true;
                                });
  EXPECT_EQ(ready, 503) << "readiness goes first";
  EXPECT_TRUE(reply.complete) << "a cut stream still ends as a stream does";
  EXPECT_THAT(last, HasSubstr(R"("code":"unavailable")"));
  EXPECT_EQ(plain.ReadReply(milliseconds(60000)).status, 503);
  EXPECT_EQ(server.Wait(), 0);
  // The plain request may have been refused by an engine that drains before it was submitted.
  EXPECT_THAT(server.output(), AnyOf(HasSubstr(R"("event":"stopped","finished":0,"cut":2})"),
                                     HasSubstr(R"("event":"stopped","finished":1,"cut":1})")));
}

INSTANTIATE_TEST_SUITE_P(Both, DrainTest, ::testing::Values("serve", "engine"),
                         [](const auto& one) { return std::string(one.param); });

std::string SampleShop(const TemporaryDirectory& directory) {
  const std::string shop = directory.path() + "/shop";
  std::string output;
  EXPECT_EQ(RunEmptor({"ingest", SourcePath("data/sample-shop/products.jsonl"), "--data-dir", shop},
                      &output),
            0)
      << output;
  return shop;
}

constexpr const char* kQuestion =
    R"({"message":"Compare the capacity and price of your kettles, please"})";

TEST(DrainAssistTest, ARunningAnswerGetsItsDoneEvent) {
  const TemporaryDirectory directory;
  ServiceProcess service(SampleShop(directory));
  std::vector<std::string> events;
  Fetch(service.port(), "POST", "/v1/assist", kQuestion, [&](const SseEvent& event) {
    if (events.empty()) service.process().Signal(SIGTERM);
    events.push_back(event.name);
    return true;
  });
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back(), "done");
  EXPECT_EQ(service.process().Wait(milliseconds(60000)), 0);
  EXPECT_THAT(service.process().output(), HasSubstr(R"("event":"stopped","finished":)"));
  EXPECT_THAT(service.process().output(), HasSubstr(R"("cut":0})"));
}

TEST(DrainAssistTest, ALateAnswerGetsARetryableErrorEvent) {
  const TemporaryDirectory directory;
  const std::string shop = SampleShop(directory), config = directory.path() + "/emptor.yaml";
  std::ofstream(config) << "drain_ms: 0\n";
  ServiceProcess service(shop, {"--config", config});
  // Other answers slow this one down: it cannot end before the signal is handled.
  std::vector<std::jthread> others;
  for (int i = 0; i < 8; ++i) {
    others.emplace_back([&] { Fetch(service.port(), "POST", "/v1/assist", kQuestion); });
  }
  SseEvent last;
  bool is_stopping = false;
  Fetch(service.port(), "POST", "/v1/assist", kQuestion, [&](const SseEvent& event) {
    last = event;
    if (!is_stopping) service.process().Signal(SIGTERM);
    is_stopping = true;
    return true;
  });
  EXPECT_EQ(last.name, "error");
  EXPECT_THAT(last.data, HasSubstr(R"("code":"unavailable")"));
  EXPECT_THAT(last.data, HasSubstr(R"("retryable":true)"));
  EXPECT_EQ(service.process().Wait(milliseconds(60000)), 0);
}

}  // namespace
}  // namespace emptor::testing
