// A generator behind an endpoint that fails in every way.
#include "services/models/endpoint_text_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "services/client/circuit_breaker.h"
#include "tests/services/models/collector.h"
#include "tests/support/child_process.h"
#include "tests/support/script_server.h"
#include "tests/support/tls_server.h"

namespace emptor::services {
namespace {

using emptor::testing::HttpAnswer;
using emptor::testing::ScriptConnection;
using emptor::testing::ScriptServer;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::Collector;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

std::string Delta(const std::string& text) {
  return "data: {\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}
const std::string kEnd =
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

std::string Events(const std::string& body) { return HttpAnswer(200, "text/event-stream", body); }
std::string Good() { return Events(Delta("Hel") + Delta("lo.") + kEnd); }

class EndpointTextGeneratorTest : public ::testing::Test {
 protected:
  EndpointTextGeneratorTest() { settings_.model = "m"; }
  void Open() {
    EndpointOptions options;
    options.url = server_.url();
    options.api_key = key_;
    options.settings = settings_;
    options.random = [] { return 0.0; };
    auto opened = EndpointTextGenerator::Open(std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.status();
    generator_ = *std::move(opened);
  }
  static GeneratorRequest Request() {
    GeneratorRequest request;
    request.messages = {{"system", "lines"}, {"user", "hello"}};
    request.max_tokens = 20;
    return request;
  }
  Outcome Ask(const GeneratorRequest& request = Request()) {
    if (generator_ == nullptr) Open();
    Collector collector;
    const auto generation = generator_->Generate(request, collector.Callbacks());
    EXPECT_TRUE(generation.ok()) << generation.status();
    const Outcome outcome = collector.WaitForEnd();
    EXPECT_EQ(outcome.ends, 1);
    EXPECT_FALSE(outcome.text_after_end);
    return outcome;
  }
  /// The outcome of one answer of these bytes, without a second attempt.
  Outcome AskOnce(const std::string& bytes) {
    settings_.attempts = 1;
    generator_ = nullptr;
    server_.Push(bytes);
    return Ask();
  }

  ScriptServer server_;
  GeneratorSettings settings_;
  std::string key_;
  std::unique_ptr<EndpointTextGenerator> generator_;
};

TEST_F(EndpointTextGeneratorTest, StreamsTextAndEnds) {
  server_.Push(Good());
  const Outcome outcome = Ask();
  EXPECT_EQ(outcome.text, "Hello.");
  EXPECT_EQ(outcome.reason, "stop");
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.usage.completion_tokens, 2);
  EXPECT_GT(outcome.usage.ttft_seconds, 0);
  EXPECT_GE(outcome.usage.total_seconds, outcome.usage.ttft_seconds);
  ASSERT_EQ(server_.requests().size(), 1u);
  const std::string request = server_.requests()[0];
  EXPECT_THAT(request, HasSubstr("POST /v1/chat/completions HTTP/1.1"));
  EXPECT_THAT(request, HasSubstr("\"model\":\"m\""));
  EXPECT_THAT(request, HasSubstr("\"stream\":true"));
  EXPECT_THAT(request, Not(HasSubstr("Authorization")));
}

TEST_F(EndpointTextGeneratorTest, PassesTextOnBeforeTheAnswerIsWhole) {
  std::atomic<bool> seen{false};
  server_.Push([&](const ScriptConnection& connection) {
    connection.Send(Events(Delta("first")));
    while (!seen) std::this_thread::yield();
    connection.Send(kEnd);
  });
  Open();
  Collector collector;
  ASSERT_TRUE(generator_->Generate(Request(), collector.Callbacks()).ok());
  collector.WaitForText("first");
  seen = true;
  EXPECT_EQ(collector.WaitForEnd().reason, "stop");
}

TEST_F(EndpointTextGeneratorTest, SpeaksToAnthropicStyleServers) {
  settings_.api = "anthropic";
  key_ = "sk-secret";
  server_.Push(Events(
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":"
      "\"text_delta\",\"text\":\"Yes.\"}}\n\n"
      "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
  EXPECT_EQ(Ask().text, "Yes.");
  const std::string request = server_.requests()[0];
  EXPECT_THAT(request, HasSubstr("POST /v1/messages HTTP/1.1"));
  EXPECT_THAT(request, HasSubstr("x-api-key: sk-secret\r\n"));
  EXPECT_THAT(request, HasSubstr("anthropic-version: 2023-06-01\r\n"));
  EXPECT_THAT(request, HasSubstr("\"system\":\"lines\""));
}

TEST_F(EndpointTextGeneratorTest, CancelClosesTheConnection) {
  std::atomic<bool> closed{false};
  server_.Push([&](const ScriptConnection& connection) {
    connection.Send(Events(Delta("first")));
    closed = connection.WaitForClose();
  });
  Open();
  Collector collector;
  const auto generation = generator_->Generate(Request(), collector.Callbacks());
  ASSERT_TRUE(generation.ok());
  collector.WaitForText("first");
  (*generation)->Cancel();
  const Outcome outcome = collector.WaitForEnd();
  EXPECT_EQ(outcome.reason, "cancelled");
  EXPECT_TRUE(absl::IsCancelled(outcome.status));
  while (!closed) std::this_thread::yield();
  EXPECT_EQ(generator_->state().counts.cancelled, 1u);
  EXPECT_TRUE(generator_->state().available);
}

TEST_F(EndpointTextGeneratorTest, StopEndsWhatRuns) {
  server_.Push([](const ScriptConnection& connection) { (void)connection.WaitForClose(); });
  Open();
  Collector collector;
  ASSERT_TRUE(generator_->Generate(Request(), collector.Callbacks()).ok());
  generator_->Stop();
  EXPECT_EQ(collector.WaitForEnd().reason, "cancelled");
  EXPECT_TRUE(absl::IsUnavailable(generator_->Generate(Request(), collector.Callbacks()).status()));
}

TEST_F(EndpointTextGeneratorTest, LimitsTheTimeToTheFirstText) {
  settings_.first_token_ms = 100;
  server_.Push([](const ScriptConnection& connection) { (void)connection.WaitForClose(); });
  const Outcome silent = Ask();  // a second attempt would have no time
  EXPECT_TRUE(absl::IsUnavailable(silent.status)) << silent.status;
  EXPECT_THAT(std::string(silent.status.message()), HasSubstr("no text within 100 ms"));
  EXPECT_EQ(server_.requests().size(), 1u);
  generator_ = nullptr;
  server_.Push([](const ScriptConnection& connection) {  // headers and comments are no text
    connection.Send(Events(""));
    while (connection.Send(": ping\n\n")) std::this_thread::sleep_for(milliseconds(5));
  });
  EXPECT_THAT(std::string(Ask().status.message()), HasSubstr("no text within 100 ms"));
}

TEST_F(EndpointTextGeneratorTest, LimitsThePauseWithinTheText) {
  settings_.stall_ms = 100;
  server_.Push([](const ScriptConnection& connection) {
    connection.Send(Events(Delta("first")));
    (void)connection.WaitForClose();
  });
  const Outcome outcome = Ask();
  EXPECT_EQ(outcome.text, "first");
  EXPECT_EQ(outcome.reason, "error");
  EXPECT_THAT(std::string(outcome.status.message()), HasSubstr("no more text within 100 ms"));
  EXPECT_EQ(server_.requests().size(), 1u);  // text has left: no second attempt
}

TEST_F(EndpointTextGeneratorTest, LimitsTheWholeAnswer) {
  settings_.timeout_ms = 150;
  const auto trickle = [](const ScriptConnection& connection) {
    connection.Send(Events(""));
    while (connection.Send(Delta("x"))) std::this_thread::sleep_for(milliseconds(20));
  };
  server_.Push(trickle);
  GeneratorRequest request = Request();
  request.max_tokens = 100000;
  Outcome outcome = Ask(request);
  EXPECT_THAT(std::string(outcome.status.message()), HasSubstr("no end of the text within 150 ms"));
  EXPECT_TRUE(absl::IsUnavailable(outcome.status)) << outcome.status;
  generator_ = nullptr;
  settings_.timeout_ms = 30000;
  server_.Push(trickle);
  request.deadline = steady_clock::now() + milliseconds(150);  // the answer's own
  outcome = Ask(request);
  EXPECT_TRUE(absl::IsDeadlineExceeded(outcome.status)) << outcome.status;
  EXPECT_THAT(std::string(outcome.status.message()), HasSubstr("deadline of the answer"));
}

TEST_F(EndpointTextGeneratorTest, TriesAgainAfterAFailureThatMayPass) {
  server_.Push(HttpAnswer(503, "application/json", "{}"));
  server_.Push(Good());
  EXPECT_EQ(Ask().text, "Hello.");
  server_.Push([](const ScriptConnection&) {});  // closes without an answer
  server_.Push(Good());
  EXPECT_EQ(Ask().text, "Hello.");
  const auto counts = generator_->state().counts;
  EXPECT_EQ(counts.requests, 4u);
  EXPECT_EQ(counts.failures, 2u);
  EXPECT_EQ(counts.retries, 2u);
}

TEST_F(EndpointTextGeneratorTest, KeepsAPauseThatTheServerAsksForIfItEndsInTime) {
  server_.Push(HttpAnswer(429, "application/json", "{}", "Retry-After: 1\r\n"));
  server_.Push(Good());
  const auto begun = steady_clock::now();
  EXPECT_EQ(Ask().text, "Hello.");
  EXPECT_GE(steady_clock::now() - begun, milliseconds(1000));
  server_.Push(HttpAnswer(503, "application/json", "{}", "Retry-After: 60\r\n"));
  const auto second = steady_clock::now();
  const Outcome outcome = Ask();
  EXPECT_TRUE(absl::IsUnavailable(outcome.status)) << outcome.status;
  EXPECT_LT(steady_clock::now() - second, milliseconds(5000));
  EXPECT_EQ(server_.requests().size(), 3u);
}

TEST_F(EndpointTextGeneratorTest, CancelEndsTheWaitForAnAttempt) {
  server_.Push(HttpAnswer(429, "application/json", "{}", "Retry-After: 8\r\n"));
  Open();
  Collector collector;
  const auto generation = generator_->Generate(Request(), collector.Callbacks());
  ASSERT_TRUE(generation.ok());
  while (generator_->state().counts.retries == 0) std::this_thread::yield();
  (*generation)->Cancel();
  EXPECT_EQ(collector.WaitForEnd().reason, "cancelled");
  EXPECT_EQ(server_.requests().size(), 1u);
}

TEST_F(EndpointTextGeneratorTest, NamesWhatTheServerRefuses) {
  const std::tuple<int, const char*, absl::StatusCode, const char*> cases[] = {
      {401, R"({"error":{"message":"no such key: sk-secret"}})",
       absl::StatusCode::kPermissionDenied, "HTTP 401: no such key: ***"},
      {403, "<html>", absl::StatusCode::kPermissionDenied, "HTTP 403"},
      {404, R"({"error":"model \"m\" not found"})", absl::StatusCode::kNotFound, "\"m\" not found"},
      {400, R"({"message":"too long"})", absl::StatusCode::kInvalidArgument, "HTTP 400: too long"},
      {429, "{}", absl::StatusCode::kUnavailable, "HTTP 429"},
      {500, "", absl::StatusCode::kUnavailable, "HTTP 500"},
      {302, "", absl::StatusCode::kInvalidArgument, "HTTP 302"}};
  key_ = "sk-secret";
  for (const auto& [status, body, code, message] : cases) {
    const Outcome outcome = AskOnce(HttpAnswer(status, "application/json", body));
    EXPECT_EQ(outcome.status.code(), code) << status;
    EXPECT_EQ(outcome.reason, "error");
    EXPECT_EQ(outcome.text, "");
    EXPECT_THAT(std::string(outcome.status.message()), HasSubstr(message));
    EXPECT_THAT(std::string(outcome.status.message()), Not(HasSubstr("sk-secret")));
    EXPECT_THAT(generator_->state().last_error, Not(HasSubstr("sk-secret")));
  }
}

TEST_F(EndpointTextGeneratorTest, FollowsNoRedirection) {
  ScriptServer other;
  other.Push(Good());
  key_ = "sk-secret";
  AskOnce(HttpAnswer(307, "text/plain", "", "Location: " + other.url() + "/v1\r\n"));
  EXPECT_TRUE(other.requests().empty());
}

TEST_F(EndpointTextGeneratorTest, RefusesWhatIsNoAnswer) {
  const std::pair<std::string, const char*> cases[] = {
      {HttpAnswer(200, "text/html", "<!doctype html><title>Login</title>"), "found a page"},
      {Events(Delta("\xff\xfe") + kEnd), "no JSON object"},
      {Events("data: " + std::string(300000, 'x')), "too many bytes"},
      {Events("data: {\"error\":{\"message\":\"out of memory\"}}\n\n"), "out of memory"},
      {Events(""), "ends before its last event"},
      {HttpAnswer(200, "application/json", "{\"choices\":"), "no valid JSON"}};
  for (const auto& [bytes, message] : cases) {
    const Outcome outcome = AskOnce(bytes);
    EXPECT_TRUE(absl::IsDataLoss(outcome.status)) << outcome.status;
    EXPECT_THAT(std::string(outcome.status.message()), HasSubstr(message));
    EXPECT_EQ(outcome.text, "");
  }
  const Outcome cut = AskOnce(Events(Delta("half")));
  EXPECT_EQ(cut.text, "half");
  EXPECT_TRUE(absl::IsDataLoss(cut.status));
}

TEST_F(EndpointTextGeneratorTest, ReadsBareJsonAndAnswersWithoutAFinalEvent) {
  EXPECT_EQ(AskOnce(HttpAnswer(200, "application/json",
                               R"({"choices":[{"message":{"content":"Yes."},)"
                               R"("finish_reason":"stop"}]})"))
                .text,
            "Yes.");
  // The connection is lost behind the finish reason, within the chunked body.
  const std::string chunk =
      Delta("All.") + "data: {\"choices\":[{\"finish_reason\":\"length\"}]}\n\n";
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
  const Outcome outcome = AskOnce(HttpAnswer(200, "text/event-stream", size + chunk + "\r\n",
                                             "Transfer-Encoding: chunked\r\n"));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.text, "All.");
  EXPECT_EQ(outcome.reason, "length");
}

TEST_F(EndpointTextGeneratorTest, CutsAFlood) {
  const auto flood = [this](const std::string& piece) {
    generator_ = nullptr;
    server_.Push([piece](const ScriptConnection& connection) {
      connection.Send(Events(""));
      while (connection.Send(piece)) {
      }
    });
    return Ask();
  };
  const Outcome text = flood(Delta("more and more words "));
  EXPECT_EQ(text.reason, "length");
  EXPECT_LE(text.text.size(), 20u * 32);
  EXPECT_GT(text.text.size(), 400u);
  const Outcome nothing = flood(": ping\n\n");
  EXPECT_TRUE(absl::IsDataLoss(nothing.status)) << nothing.status;
}

TEST_F(EndpointTextGeneratorTest, LeavesAServerAloneThatHasJustFailed) {
  settings_.attempts = 1;
  server_.Push(HttpAnswer(500, "application/json", "{}"));
  Ask();
  EXPECT_FALSE(generator_->state().available);
  EXPECT_THAT(generator_->state().last_error, HasSubstr("HTTP 500"));
  const Outcome refused = Ask();
  EXPECT_TRUE(absl::IsUnavailable(refused.status));
  EXPECT_THAT(std::string(refused.status.message()), HasSubstr("not asked again yet, after: "));
  EXPECT_EQ(server_.requests().size(), 1u);
  EXPECT_EQ(generator_->state().counts.refused, 1u);
  std::this_thread::sleep_for(milliseconds(510));  // the first pause, with random 0
  server_.Push(Good());
  EXPECT_EQ(Ask().text, "Hello.");
  EXPECT_TRUE(generator_->state().available);
}

TEST_F(EndpointTextGeneratorTest, ABadRequestSaysNothingOfTheNext) {
  settings_.attempts = 1;
  server_.Push(HttpAnswer(400, "application/json", "{}"));
  Ask();
  EXPECT_TRUE(generator_->state().available);
}

TEST_F(EndpointTextGeneratorTest, AsksManyAtOnce) {
  constexpr int kRequests = 24;
  std::atomic<int> arrived{0};
  for (int i = 0; i < kRequests; ++i) {
    server_.Push([&](const ScriptConnection& connection) {
      ++arrived;
      while (arrived < kRequests) std::this_thread::yield();
      connection.Send(Good());
    });
  }
  Open();
  std::vector<Collector> collectors(kRequests);
  for (Collector& collector : collectors) {
    ASSERT_TRUE(generator_->Generate(Request(), collector.Callbacks()).ok());
  }
  for (Collector& collector : collectors) EXPECT_EQ(collector.WaitForEnd().text, "Hello.");
}

TEST_F(EndpointTextGeneratorTest, VerifiesTheCertificateOfTheServer) {
  emptor::testing::TlsServer server(Good());
  key_ = "sk-secret";
  settings_.attempts = 1;
  const auto ask = [&](const std::string& host) {
    EndpointOptions options{.url = "https://" + host + ":" + std::to_string(server.port()),
                            .api_key = key_,
                            .settings = settings_,
                            .random = nullptr};
    generator_ = *EndpointTextGenerator::Open(std::move(options));
    return Ask();
  };
  const Outcome unknown = ask("127.0.0.1");
  EXPECT_TRUE(absl::IsFailedPrecondition(unknown.status)) << unknown.status;
  EXPECT_THAT(std::string(unknown.status.message()), HasSubstr("certificate"));
  EXPECT_EQ(server.requests(), 0);
  const emptor::testing::TemporaryDirectory directory;
  settings_.ca_file = directory.path() + "/ca.pem";
  std::ofstream(settings_.ca_file) << server.certificate();
  EXPECT_EQ(ask("127.0.0.1").text, "Hello.");
  EXPECT_TRUE(absl::IsFailedPrecondition(ask("localhost").status));  // it is for the address
  EXPECT_EQ(server.requests(), 1);
}

TEST_F(EndpointTextGeneratorTest, SaysHowItIsPrompted) {
  EXPECT_TRUE(generator_ == nullptr);
  settings_.languages = {"en"};
  Open();
  EXPECT_EQ(generator_->prompt_style(), PromptStyle::kExamples);
  EXPECT_FALSE(generator_->capabilities().references);
  EXPECT_EQ(generator_->capabilities().languages, std::vector<std::string>{"en"});
  settings_.prompt = "references";
  Open();
  EXPECT_EQ(generator_->prompt_style(), PromptStyle::kReferences);
  EXPECT_TRUE(generator_->capabilities().references);
}

TEST(EndpointOptionsTest, AnAnthropicStyleServerNeedsTheNameOfAModel) {
  EndpointOptions options;
  options.url = "https://a/v1/messages";
  EXPECT_THAT(std::string(EndpointTextGenerator::Open(options).status().message()),
              HasSubstr("generator: model: expected"));
}

TEST(CircuitBreakerTest, OpensAfterAFailureAndLetsOneCallFindOut) {
  CircuitBreaker breaker;
  const auto at = [](int ms) { return CircuitBreaker::TimePoint(milliseconds(ms)); };
  EXPECT_TRUE(breaker.Allow(at(0), milliseconds(100)));
  EXPECT_TRUE(breaker.Fail("down", at(0), 1));
  EXPECT_FALSE(breaker.Allow(at(999), milliseconds(100)));
  EXPECT_TRUE(breaker.Allow(at(1000), milliseconds(100)));
  EXPECT_FALSE(breaker.Allow(at(1050), milliseconds(100)));  // the other one finds out
  EXPECT_FALSE(breaker.Fail("down", at(1060), 1));
  EXPECT_FALSE(breaker.Allow(at(3059), milliseconds(100)));  // twice the pause
  EXPECT_TRUE(breaker.Allow(at(3060), milliseconds(100)));
  breaker.Abandon(at(3070));
  EXPECT_TRUE(breaker.Allow(at(3070), milliseconds(100)));
  EXPECT_TRUE(breaker.Succeed());
  EXPECT_TRUE(breaker.Allow(at(3071), milliseconds(100)));
  EXPECT_FALSE(breaker.Succeed());
  EXPECT_EQ(breaker.refused(), 3u);
  EXPECT_EQ(breaker.last_error(), "down");
}

}  // namespace
}  // namespace emptor::services
