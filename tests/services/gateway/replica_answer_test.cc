// Answers of replicas, good and bad, cut anywhere; bodies of clients.
#include "services/gateway/replica_answer.h"

#include <gtest/gtest.h>

#include "services/client/api_key.h"
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
      {"an error of vLLM", "data: {\"object\":\"error\",\"message\":\"no\"}\n\n" + kDone,
       absl::StatusCode::kDataLoss},
      {"too long", "data: " + std::string(2 << 20, 'x'), absl::StatusCode::kOutOfRange},
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
  std::optional<ReplicaError> error;
  EXPECT_TRUE(CheckWholeAnswer(R"({"choices":[{"text":"a","finish_reason":"stop"}]})", error).ok());
  EXPECT_FALSE(error);
  for (const char* bad : {"", "null", "{}", "{\"choices\":[]}", "{\"choices\":[{\"text\":\"a\"}]}",
                          "{\"error\":{\"message\":\"no\"}}", "{\"choices\":[{\"text\":\"a\""}) {
    EXPECT_EQ(CheckWholeAnswer(bad, error).status().code(), absl::StatusCode::kDataLoss) << bad;
    EXPECT_EQ(error.has_value(), std::string_view(bad).find("error") != std::string_view::npos);
  }
}

TEST(ModelNamesTest, AreReadFromTheList) {
  const auto names = ReadModelNames(R"({"object":"list","data":[{"id":"a"},{"id":7},{"id":"b"}]})");
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(*names, (std::vector<std::string>{"a", "b"}));
  // A list of none is a list; anything else is not.
  EXPECT_TRUE(ReadModelNames(R"({"data":[]})").ok());
  for (const char* bad : {"ready", "{}", R"({"data":{}})", R"({"error":"no"})"}) {
    EXPECT_EQ(ReadModelNames(bad).status().code(), absl::StatusCode::kDataLoss) << bad;
  }
}

TEST(ReplicaStreamTest, KeepsWhatTheReplicaSaysOfItsError) {
  ReplicaStream stream({}, [](std::string_view) { return true; });
  EXPECT_FALSE(
      stream.Push("data: {\"error\":{\"message\":\"4096 tokens at most\",\"code\":400}}\n\n"));
  EXPECT_EQ(stream.Finish().code(), absl::StatusCode::kDataLoss);
  ASSERT_TRUE(stream.error());
  EXPECT_EQ(stream.error()->status, 400);
  EXPECT_EQ(stream.error()->message, "4096 tokens at most");
}

TEST(ReplicaErrorTest, AKeyIsHiddenHoweverItIsWritten) {
  const struct {
    const char* text;
    const char* hidden;
  } cases[] = {
      {R"(a/"b\c)", "***"},
      {R"(x a\/\"b\\c y)", "x *** y"},
      {R"(\u0061\u002F\u0022\u0062\u005c\u0063)", "***"},
      {R"(a/"b\ca\/\"b\\c)", "******"},
      {R"(a/"b)", R"(a/"b)"},
      {R"(a\/\"b\)", R"(a\/\"b\)"},
      {R"(\u00)", R"(\u00)"},
      {R"(\u0161/"b\c)", R"(\u0161/"b\c)"},
  };
  for (const auto& each : cases) EXPECT_EQ(WithoutKey(each.text, R"(a/"b\c)"), each.hidden);
  EXPECT_EQ(WithoutKey("a", ""), "a");
  // Before the text is cut.
  const std::string long_text(298, 'x');
  EXPECT_EQ(ReadReplicaError(long_text + "secret", "secret").message, long_text + "**");
}

TEST(ReplicaStreamTest, WhatIsPassedOnAtOnceIsBounded) {
  const ReplicaStreamLimits limits{.max_event = 4096, .max_held = 512};
  for (const int lines : {500, 570, 4000}) {
    size_t most = 0;
    ReplicaStream stream(limits, [&](std::string_view events) {
      most = std::max(most, events.size());
      return true;
    });
    std::string bytes;
    while (bytes.size() + kRole.size() < limits.max_held) bytes += kRole;
    // An event of empty lines grows most: each is a byte here, and a field of the event.
    bytes += "data:{\"choices\":[{\"text\":\"a\"}],\n";
    for (int i = 0; i < lines; ++i) bytes += "data:\n";
    bytes += "data:\"a\":0}\n\n";
    EXPECT_EQ(stream.Push(bytes), lines < 4000);
    EXPECT_LE(most, limits.MaxPassed());
    EXPECT_EQ(most > 3500, lines < 4000) << most;
    const auto want = lines < 4000 ? absl::StatusCode::kUnavailable : absl::StatusCode::kOutOfRange;
    EXPECT_EQ(stream.Finish().code(), want) << lines;
  }
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
  const Response busy = RefusalOf(DispatchRefusal::kOverloaded, {}, "id");
  EXPECT_EQ(busy.status, 429);
  EXPECT_TRUE(retry_after(busy));
  const Response none = RefusalOf(DispatchRefusal::kNoReplica, {}, "id");
  EXPECT_EQ(none.status, 503);
  EXPECT_TRUE(retry_after(none));
  const auto failed = [](FailureDetail detail) {
    return RefusalOf(DispatchRefusal::kFailed, detail, "id");
  };
  EXPECT_EQ(failed({AttemptFailure::kTimeout}).status, 504);
  EXPECT_EQ(failed({AttemptFailure::kLost}).status, 502);
  EXPECT_EQ(failed({AttemptFailure::kLate}).status, 504);
  EXPECT_NE(failed({AttemptFailure::kServerError, "out of memory"}).body.find("out of memory"),
            std::string::npos);
  const Response large = failed({AttemptFailure::kTooLarge});
  EXPECT_EQ(large.status, 502);
  EXPECT_FALSE(retry_after(large));
  // What the replica asks for, in whole seconds.
  const Response paused = failed({AttemptFailure::kBusy, "", std::chrono::milliseconds(6500)});
  EXPECT_EQ(paused.status, 503);
  ASSERT_TRUE(retry_after(paused));
  EXPECT_EQ(paused.headers[0].second, "7");
  const Response poison = RefusalOf(DispatchRefusal::kPoison, {}, "id");
  EXPECT_EQ(poison.status, 422);
  EXPECT_FALSE(retry_after(poison));
}

}  // namespace
}  // namespace emptor::services
