// A traced turn gives the same text again; changed records show.
#include "services/assistant/answer_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "services/assistant/assistant.h"
#include "services/assistant/trace_replay.h"
#include "services/proto/answer_trace.pb.h"
#include "tests/services/assistant/answer_recorder.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/models/scripted_generator.h"

namespace emptor::services {
namespace {

using testing::AnswerRecorder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ScriptedGenerator;
using testing::TestShop;

class AnswerTraceTest : public ::testing::Test {
 protected:
  void TearDown() override {
    if (generator_) generator_->Join();
  }
  void Use(std::vector<std::string> pieces) {
    generator_ = std::make_unique<ScriptedGenerator>(std::move(pieces));
  }
  /// The answer's text; its trace is in `trace_`.
  std::string Ask(const std::string& message, const std::string& locale = "") {
    AssistRequest request;
    request.message = message;
    request.conversation_id = id_;
    request.locale = locale;
    request.link_base = "https://shop.example";
    std::shared_ptr<AnswerRecorder> answer;
    {
      WorkerPool workers(2, 64);
      AssistantParts parts{shop_.shop().reader(),   generator_.get(), conversations_, workers,
                           [this] { return now_; }, nullptr,          "shop-a"};
      parts.on_trace = [this](const AnswerTrace& trace) {
        const std::lock_guard lock(mutex_);
        trace_ = trace;
      };
      Assistant assistant({}, std::move(parts));
      answer = testing::AskAndWait(assistant, std::move(request), leaves_after_end_);
      if (generator_) generator_->Join();
    }  // the trace is made after the end
    id_ = answer->start.conversation_id;
    return answer->text;
  }
  ReplayReport Replay() {
    const auto report = ReplayTrace(*trace_, shop_.shop().reader());
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : ReplayReport();
  }

  TestShop shop_;
  int64_t now_ = 1700000000;
  bool leaves_after_end_ = false;
  std::string id_;
  ConversationStore conversations_{{}, [] { return std::chrono::steady_clock::now(); }};
  std::unique_ptr<ScriptedGenerator> generator_;
  std::mutex mutex_;
  std::optional<AnswerTrace> trace_;  // guarded by mutex_ while an answer runs
};

TEST_F(AnswerTraceTest, TheModelsTextIsRecordedAndNoModelIsAskedAgain) {
  Use({"The [1:ti", "tle] costs [1:price], not $1. ", "It is fine [1]."});
  const std::string text = Ask("Torvane Glide Kettle K20", "de-AT");
  ASSERT_THAT(text, HasSubstr("49,99"));
  ASSERT_TRUE(trace_.has_value());
  EXPECT_EQ(trace_->text(), text);
  EXPECT_EQ(trace_->conversation_id(), id_);
  const std::string json = trace_->ToJson();
  EXPECT_THAT(json,
              HasSubstr(R"("text": "The [1:title] costs [1:price], not $1. It is fine [1].")"));
  EXPECT_THAT(json, HasSubstr(R"("rule": "money")")) << "what was dropped";
  EXPECT_THAT(json, HasSubstr(R"("id": "k20")"));
  const size_t asked = generator_->requests().size();
  const ReplayReport report = Replay();
  EXPECT_EQ(report.text, text);
  EXPECT_TRUE(report.is_same_text && report.is_same_prompt);
  EXPECT_EQ(report.hits, report.hits_then);
  EXPECT_EQ(generator_->requests().size(), asked);
  EXPECT_EQ(conversations_.Open(id_).turns.size(), 1u) << "the conversation is left alone";
}

TEST_F(AnswerTraceTest, SaysWhatBecameOfEachSentenceOfTheModel) {
  Use({"The [1:title] costs [1:price]. ", "It is purple [1]. ", "It is new and it flies [1]."});
  Ask("Torvane Glide Kettle K20");
  ASSERT_TRUE(trace_.has_value());
  for (const std::string& form : {trace_->ToJson(), trace_->ToBytes()}) {
    const auto read = AnswerTrace::Parse(form);
    ASSERT_TRUE(read.ok()) << read.status();
    const auto& verdicts = read->message().verdicts();
    ASSERT_EQ(verdicts.size(), 3);
    EXPECT_EQ(verdicts[0].verdict(), "kept");
    EXPECT_THAT(verdicts[0].sentence(), HasSubstr("49.99"));
    EXPECT_EQ(verdicts[0].reason(), "");
    ASSERT_GE(verdicts[0].claims_size(), 1);
    EXPECT_EQ(verdicts[0].claims(0).source(), "k20");
    EXPECT_EQ(verdicts[0].claims(0).key(), "price");
    EXPECT_NE(verdicts[1].verdict(), "kept");
    EXPECT_THAT(verdicts[1].sentence(), HasSubstr("It is purple"));
    EXPECT_NE(verdicts[1].reason(), "");
    EXPECT_THAT(verdicts[2].claim(), HasSubstr("flies"));
    EXPECT_EQ(verdicts[2].claims_size(), 0);
  }
  const ReplayReport report = Replay();
  EXPECT_EQ(report.verdicts.size(), 3u);
  EXPECT_TRUE(report.is_same_verdicts());
}

TEST_F(AnswerTraceTest, AReplayShowsASentenceThatIsJudgedOtherwise) {
  Use({"The [1:title] costs [1:price]. ", "Its noise level is 65 dB [1]."});
  Ask("Torvane Glide Kettle K20");
  ASSERT_TRUE(trace_.has_value());
  ReplayReport report = Replay();
  ASSERT_EQ(report.verdicts.size(), 2u);
  report.verdicts[1] = "dropped (number): Its noise level is 65 dB [1].";
  EXPECT_FALSE(report.is_same_verdicts());
  EXPECT_THAT(DescribeReplay(*trace_, report), HasSubstr("+ dropped (number): Its noise level"));
}

TEST_F(AnswerTraceTest, EveryTurnOfAConversationGivesItsText) {
  for (const char* message :
       {"Torvane kettles", "tell me about the second one", "how much is it?", "hello",
        "How long does shipping take?", "Which one is cheaper?", "qwertz"}) {
    const std::string text = Ask(message);
    ASSERT_EQ(trace_->text(), text);
    for (const std::string& form : {trace_->ToJson(), trace_->ToBytes()}) {
      const auto read = AnswerTrace::Parse(form);
      ASSERT_TRUE(read.ok()) << read.status();
      const auto report = ReplayTrace(*read, shop_.shop().reader());
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->text, text) << message;
    }
  }
  EXPECT_THAT(trace_->ToJson(), HasSubstr("tell me about the second one")) << "the state before";
}

TEST_F(AnswerTraceTest, TheClockIsTheRecordedOne) {
  shop_.Import(R"({"id":"s1","title":"Velsar Sale Lamp","brand":"Velsar",)"
               R"("price":{"amount":5000,"currency":"USD"},"sale_price":{"amount":3000,)"
               R"("currency":"USD"},"sale_price_effective_date":{"start":"2020-01-01T00:00:00Z",)"
               R"("end":"2020-02-01T00:00:00Z"},"locale":"en-US"})");
  now_ = 1579000000;  // within the sale, long ago
  const std::string text = Ask("Velsar Sale Lamp");
  EXPECT_TRUE(Replay().is_same_text);
  now_ = 1700000000;
  EXPECT_NE(Ask("Velsar Sale Lamp"), text) << "the sale is over";
}

TEST_F(AnswerTraceTest, AClientThatLeavesAfterTheEndLeavesATrace) {
  leaves_after_end_ = true;
  const std::string text = Ask("Torvane Glide Kettle K20");
  ASSERT_TRUE(trace_.has_value());
  EXPECT_EQ(trace_->text(), text);
}

TEST_F(AnswerTraceTest, ChangedRecordsShow) {
  Ask("Torvane Glide Kettle K20");
  shop_.SetPriceOfK20(5999);
  const ReplayReport report = Replay();
  EXPECT_FALSE(report.is_same_text);
  EXPECT_FALSE(report.is_same_prompt);
  EXPECT_THAT(report.text, HasSubstr("$59.99"));
  const std::string lines = DescribeReplay(*trace_, report);
  EXPECT_THAT(lines, HasSubstr("another text, another prompt"));
  EXPECT_THAT(lines, ::testing::ContainsRegex("\n- [^\n]*\\$49.99[^\n]*\n\\+ [^\n]*\\$59.99"));
}

TEST_F(AnswerTraceTest, AModelThatFailedOrRepeatedItselfIsRecorded) {
  Use({"The [1:title] is fine. "});
  generator_->end_status = absl::DeadlineExceededError("too slow");
  Ask("Torvane Glide Kettle K20");
  EXPECT_THAT(trace_->ToJson(), HasSubstr("too slow"));
  EXPECT_TRUE(Replay().is_same_text);
  Use(std::vector<std::string>(200, "It is a good kettle and it boils water. "));
  Ask("Torvane Glide Kettle K20");
  EXPECT_TRUE(Replay().is_same_text);
}

TEST_F(AnswerTraceTest, RefusesWhatIsNoTrace) {
  Ask("Torvane Glide Kettle K20");
  const std::string json = trace_->ToJson();
  const auto refusal = [](const std::string& bytes) {
    return AnswerTrace::Parse(bytes).status().ToString();
  };
  EXPECT_THAT(refusal("{"), HasSubstr("not the JSON of a trace"));
  EXPECT_THAT(refusal("{}"), HasSubstr("has no version"));
  EXPECT_THAT(refusal(""), HasSubstr("has no version"));
  EXPECT_THAT(refusal("garbage"), HasSubstr("emptor ask --trace"));
  EXPECT_THAT(refusal(R"({"version":2})"), HasSubstr("version 2, this build reads up to 1"));
  EXPECT_TRUE(AnswerTrace::Parse(R"({"version":1,"later_field":3})").ok());
  const auto replay = [this](const std::string& members) {
    const auto trace =
        AnswerTrace::Parse(R"({"version":1,"options":{"default_locale":"en"},)" + members + "}");
    EXPECT_TRUE(trace.ok()) << trace.status();
    return ReplayTrace(*trace, shop_.shop().reader()).status().ToString();
  };
  EXPECT_THAT(replay(R"("request":{})"), HasSubstr("request.message"));
  EXPECT_THAT(replay(R"("request":{"message":"x","locale":"!"})"), HasSubstr("request.locale"));
  EXPECT_THAT(replay(R"("request":{"message":"x","currency":"usd"})"), HasSubstr("currency"));
  EXPECT_EQ(replay(R"("request":{"message":"x"})"), "OK");
}

}  // namespace
}  // namespace emptor::services
