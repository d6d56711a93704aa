// Answers of replicas, good and bad, cut anywhere; bodies of clients.
#include "services/gateway/replica_answer.h"

#include <gtest/gtest.h>

#include "services/gateway/completion_call.h"
#include "services/gateway/gateway_errors.h"

namespace emptor::services {
namespace {

std::string Text(const std::string& text) {
  return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}
const std::string kRole =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
const std::string kFinish =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const std::string kUsage =
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n";
const std::string kDone = "data: [DONE]\n\n";

struct ReadResult {
  std::string passed;
  bool begun_before_end = false, done = false;
  absl::Status end;
  ReportedUsage usage;
};

ReadResult ReadIn(const std::string& bytes, size_t step) {
  ReadResult result;
  ReplicaStream stream({}, [&](std::string_view events) {
    result.passed += events;
    return true;
  });
  for (size_t at = 0; at < bytes.size(); at += step) {
    if (!stream.Push(std::string_view(bytes).substr(at, step))) break;
  }
  result.begun_before_end = stream.has_begun();
  result.end = stream.Finish();
  result.done = stream.is_done();
  result.usage = stream.usage();
  return result;
}

TEST(ReplicaStreamTest, PassesAnAnswerOnUnchangedHoweverItWasCut) {
  const std::string answer = kRole + Text("h\xc3\xa9") + Text("llo") + kFinish + kUsage + kDone;
  for (const size_t step : {size_t{1}, size_t{3}, size_t{7}, answer.size()}) {
    const ReadResult result = ReadIn(answer, step);
    EXPECT_EQ(result.passed, answer);
    EXPECT_TRUE(result.end.ok()) << result.end;
    EXPECT_TRUE(result.done);
    EXPECT_EQ(result.usage.prompt_tokens, 7);
    EXPECT_EQ(result.usage.completion_tokens, 2);
  }
}

TEST(ReplicaStreamTest, NothingLeavesBeforeTheFirstText) {
  EXPECT_EQ(ReadIn(kRole, 1000).passed, "");
  EXPECT_FALSE(ReadIn(kRole, 1000).begun_before_end);
  EXPECT_EQ(ReadIn(kRole + Text("a"), 1000).passed, kRole + Text("a"));
  const std::string tool =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"id\":\"x\"}]}}]}\n\n";
  EXPECT_TRUE(ReadIn(tool, 1000).begun_before_end);
}

TEST(ReplicaStreamTest, AnEndThatLacksOnlyTheMarkIsCompleted) {
  const ReadResult result = ReadIn(Text("a") + kFinish, 1000);
  EXPECT_TRUE(result.end.ok());
  EXPECT_EQ(result.passed, Text("a") + kFinish + kDone);
}

TEST(ReplicaStreamTest, WhatIsWrongEndsItAndIsNotPassedOn) {
  const struct {
    const char* name;
    std::string after;
    absl::StatusCode code;
  } cases[] = {
      {"cut", "", absl::StatusCode::kUnavailable},
      {"cut within an event", "data: {\"choices\":[{\"ind", absl::StatusCode::kUnavailable},
      {"done without a finish_reason", kDone, absl::StatusCode::kDataLoss},
      {"garbage", "data: {garbage\n\n", absl::StatusCode::kDataLoss},
      {"broken UTF-8", "data: {\"choices\":[{\"text\":\"\xc3\"}]}\n\n",
       absl::StatusCode::kDataLoss},
      {"an error", "data: {\"error\":{\"message\":\"out of memory\"}}\n\n" + kDone,
       absl::StatusCode::kDataLoss},
      {"text after the end", kFinish + Text("more"), absl::StatusCode::kDataLoss},
      {"an index", "data: {\"choices\":[{\"index\":-1,\"text\":\"a\"}]}\n\n",
       absl::StatusCode::kDataLoss},
      {"too long", "data: " + std::string(2 << 20, 'x'), absl::StatusCode::kDataLoss},
  };
  for (const auto& each : cases) {
    const ReadResult result = ReadIn(Text("a") + each.after, 1 << 16);
    EXPECT_EQ(result.end.code(), each.code) << each.name;
    EXPECT_FALSE(result.done) << each.name;
    EXPECT_EQ(result.passed.find("more"), std::string::npos) << each.name;
    EXPECT_EQ(result.passed.find("error"), std::string::npos) << each.name;
    EXPECT_EQ(result.passed.rfind(Text("a"), 0), 0u) << each.name;
  }
}

TEST(ReplicaStreamTest, EveryChoiceHasItsEnd) {
  const auto of = [](int index, const char* rest) {
    return "data: {\"choices\":[{\"index\":" + std::to_string(index) + "," + rest + "}]}\n\n";
  };
  const std::string one = of(0, "\"text\":\"a\"") + of(1, "\"text\":\"b\"") +
                          of(0, "\"text\":\"\",\"finish_reason\":\"stop\"");
  EXPECT_EQ(ReadIn(one, 1000).end.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(ReadIn(one + of(1, "\"text\":\"\",\"finish_reason\":\"length\""), 1000).end.ok());
}

TEST(WholeAnswerTest, HasChoicesThatEnded) {
  EXPECT_TRUE(CheckWholeAnswer(R"({"choices":[{"text":"a","finish_reason":"stop"}]})").ok());
  for (const char* bad : {"", "null", "{}", "{\"choices\":[]}", "{\"choices\":[{\"text\":\"a\"}]}",
                          "{\"error\":{\"message\":\"no\"}}", "{\"choices\":[{\"text\":\"a\""}) {
    EXPECT_EQ(CheckWholeAnswer(bad).status().code(), absl::StatusCode::kDataLoss) << bad;
  }
}

TEST(ModelNamesTest, AreReadFromTheList) {
  EXPECT_EQ(ReadModelNames(R"({"object":"list","data":[{"id":"a"},{"id":7},{"id":"b"}]})"),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(ReadModelNames("ready").empty());
}

TEST(CompletionCallTest, ReadsWhatDecides) {
  const std::string body =
      R"({"model":"m","stream":true,"max_tokens":50,"user":"u","priority":"batch","unknown":[1],)"
      R"("messages":[{"role":"user","content":")" +
      std::string(600, 'x') + "\"}]}";
  const auto call = ReadCompletionCall(body, true, {});
  ASSERT_TRUE(call.ok()) << call.status();
  EXPECT_TRUE(call->stream);
  EXPECT_EQ(call->model, "m");
  EXPECT_EQ(call->dispatch.max_tokens, 50);
  EXPECT_NEAR(call->dispatch.prompt_tokens, 151, 3);
  EXPECT_EQ(call->dispatch.blocks.size(), 2u);
  EXPECT_EQ(call->dispatch.priority, PriorityClass::kBatch);
  EXPECT_NE(call->dispatch.session, 0u);
  const auto low = ReadCompletionCall(R"({"prompt":[1,2,3],"priority":-1})", false, {});
  ASSERT_TRUE(low.ok());
  EXPECT_EQ(low->dispatch.priority, PriorityClass::kInteractive);
  EXPECT_EQ(WithModel(R"({"prompt":"a","model":"m","n":1})", "big"),
            R"({"model":"big","prompt":"a","n":1})");
}

TEST(CompletionCallTest, NamesTheFieldThatIsWrong) {
  const struct {
    const char* body;
    const char* message;
  } cases[] = {{"{", "body: "},
               {"[]", "body: expected an object"},
               {"{}", "messages: missing"},
               {R"({"messages":"a"})", "messages: expected an array"},
               {R"({"messages":[],"stream":1})", "stream: "},
               {R"({"messages":[],"max_tokens":-1})", "max_tokens: "},
               {R"({"messages":[],"priority":"soon"})", "priority: expected interactive"}};
  for (const auto& each : cases) {
    const auto call = ReadCompletionCall(each.body, true, {});
    ASSERT_FALSE(call.ok()) << each.body;
    EXPECT_EQ(call.status().message().find(each.message), 0u) << call.status();
  }
}

TEST(GatewayErrorsTest, SayWhetherToTryAgain) {
  const auto retry_after = [](const Response& response) {
    return !response.headers.empty() && response.headers[0].first == "Retry-After";
  };
  const Response busy = RefusalOf(DispatchRefusal::kOverloaded, AttemptFailure::kLost, "id");
  EXPECT_EQ(busy.status, 429);
  EXPECT_TRUE(retry_after(busy));
  const Response none = RefusalOf(DispatchRefusal::kNoReplica, AttemptFailure::kLost, "id");
  EXPECT_EQ(none.status, 503);
  EXPECT_TRUE(retry_after(none));
  const Response late = RefusalOf(DispatchRefusal::kFailed, AttemptFailure::kTimeout, "id");
  EXPECT_EQ(late.status, 504);
  EXPECT_EQ(RefusalOf(DispatchRefusal::kFailed, AttemptFailure::kLost, "id").status, 502);
  const Response poison = RefusalOf(DispatchRefusal::kPoison, AttemptFailure::kLost, "id");
  EXPECT_EQ(poison.status, 422);
  EXPECT_FALSE(retry_after(poison));
}

}  // namespace
}  // namespace emptor::services
