// Bytes of chat endpoints to text.
#include "services/models/chat_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

struct Read {
  std::string text, failure, reason;
  int prompt_tokens = 0, completion_tokens = 0;
};

Read ReadIn(ChatApi api, std::string_view bytes, size_t step, ChatStreamLimits limits = {}) {
  Read read;
  ChatStream stream(api, limits, [&](std::string_view text) { read.text += text; });
  for (size_t at = 0; at < bytes.size(); at += step) stream.Push(bytes.substr(at, step));
  stream.Finish();
  read.failure = stream.failure();
  read.reason = stream.finish_reason();
  read.prompt_tokens = stream.prompt_tokens();
  read.completion_tokens = stream.completion_tokens();
  return read;
}

/// Whole and byte by byte, which must give the same.
Read ReadAll(ChatApi api, std::string_view bytes, ChatStreamLimits limits = {}) {
  const Read whole = ReadIn(api, bytes, bytes.size() + 1, limits);
  const Read cut = ReadIn(api, bytes, 1, limits);
  EXPECT_EQ(whole.text, cut.text) << bytes;
  EXPECT_EQ(whole.failure, cut.failure) << bytes;
  EXPECT_EQ(whole.reason, cut.reason) << bytes;
  return whole;
}
Read OpenAi(std::string_view bytes) { return ReadAll(ChatApi::kOpenAi, bytes); }

std::string Delta(const std::string& text) {
  return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}
const std::string kStop = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

TEST(ChatStreamTest, ReadsTextReasonAndUsageOfOpenAi) {
  const Read read = OpenAi(": ping\n\n" + Delta("Hel") + Delta("lo \\u00e4") + kStop +
                           "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,"
                           "\"completion_tokens\":3}}\n\ndata: [DONE]\n\n");
  EXPECT_EQ(read.text, "Hello ä");
  EXPECT_EQ(read.failure, "");
  EXPECT_EQ(read.reason, "stop");
  EXPECT_EQ(read.prompt_tokens, 7);
  EXPECT_EQ(read.completion_tokens, 3);
}

TEST(ChatStreamTest, ReadsAnthropicEvents) {
  const Read read =
      ReadAll(ChatApi::kAnthropic,
              "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":"
              "{\"input_tokens\":12,\"output_tokens\":1}}}\n\n"
              "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
              "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
              "event: ping\ndata: {\"type\":\"ping\"}\n\n"
              "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":"
              "{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n"
              "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":"
              "{\"type\":\"text_delta\",\"text\":\"It is [1:price].\"}}\n\n"
              "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
              "{\"stop_reason\":\"max_tokens\"},\"usage\":{\"output_tokens\":9}}\n\n"
              "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
  EXPECT_EQ(read.text, "It is [1:price].");
  EXPECT_EQ(read.failure, "");
  EXPECT_EQ(read.reason, "length");
  EXPECT_EQ(read.prompt_tokens, 12);
  EXPECT_EQ(read.completion_tokens, 9);
}

TEST(ChatStreamTest, ReadsOneJsonTextOfAServerThatDoesNotStream) {
  const Read open_ai = OpenAi(
      "\n{\"choices\":[{\"message\":{\"content\":\"Yes [1].\"},"
      "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":2}}");
  EXPECT_EQ(open_ai.text, "Yes [1].");
  EXPECT_EQ(open_ai.failure, "");
  EXPECT_EQ(open_ai.prompt_tokens, 2);
  const Read anthropic = ReadAll(ChatApi::kAnthropic,
                                 "{\"content\":[{\"type\":\"text\",\"text\":\"Yes\"}],"
                                 "\"stop_reason\":\"end_turn\"}");
  EXPECT_EQ(anthropic.text, "Yes");
  EXPECT_EQ(anthropic.reason, "stop");
}

TEST(ChatStreamTest, EndsWithTheLastEventOrTheFinishReason) {
  EXPECT_EQ(OpenAi(Delta("a") + "data: [DONE]\n\n").reason, "stop");
  EXPECT_EQ(OpenAi(Delta("a") + kStop).failure, "");
  EXPECT_THAT(OpenAi(Delta("a")).failure, HasSubstr("ends before its last event"));
  EXPECT_THAT(OpenAi("").failure, HasSubstr("ends before its last event"));
  EXPECT_EQ(OpenAi("data: [DONE]\n\n" + Delta("behind the end")).text, "");
}

TEST(ChatStreamTest, NamesWhatIsNoAnswer) {
  const std::pair<std::string, const char*> cases[] = {
      {"<!doctype html><html>", "expected an event stream, found a page"},
      {"data: nonsense\n\n", "an event that is no JSON object"},
      {"data: [1]\n\n", "an event that is no JSON object"},
      {Delta("\xff\xfe"), "an event that is no JSON object"},
      {Delta("\\ud83d"), "an event that is no JSON object"},
      {"data: {\"error\":{\"message\":\"out of memory\"}}\n\n", "reports: out of memory"},
      {"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
       "\"message\":\"Overloaded\"}}\n\n",
       "reports: Overloaded"},
      {"{\"error\":\"no such model\"}", "reports: no such model"},
      {"{\"choices\":[", "no valid JSON"},
      {"{\"choices\":[]}", "without choices"}};
  for (const auto& [bytes, failure] : cases) {
    EXPECT_THAT(OpenAi(bytes).failure, HasSubstr(failure)) << bytes;
  }
}

TEST(ChatStreamTest, KeepsTheTextInFrontOfWhatIsWrong) {
  const Read read = OpenAi(Delta("good") + "data: {\n\n" + Delta("bad"));
  EXPECT_EQ(read.text, "good");
  EXPECT_NE(read.failure, "");
}

TEST(ChatStreamTest, BoundsEventTextAndAnswer) {
  const ChatStreamLimits limits{.max_bytes = 3000, .max_event = 500, .max_text = 40};
  const auto read = [&](const std::string& bytes) {
    return ReadAll(ChatApi::kOpenAi, bytes, limits);
  };
  EXPECT_THAT(read(Delta(std::string(600, 'x'))).failure, HasSubstr("event of too many bytes"));
  EXPECT_THAT(read("data: " + std::string(600, 'x')).failure, HasSubstr("event of too many bytes"));
  std::string flood;
  for (int i = 0; i < 200; ++i) flood += ": ping\n\n" + Delta("");
  EXPECT_THAT(read(flood).failure, HasSubstr("answer of too many bytes"));
  std::string words;
  for (int i = 0; i < 20; ++i) words += Delta("word ");
  const Read cut = read(words);
  EXPECT_EQ(cut.failure, "");
  EXPECT_EQ(cut.reason, "length");
  EXPECT_EQ(cut.text.size(), 40u);
}

TEST(ChatStreamTest, SkipsReasoningInFrontOfTheText) {
  EXPECT_EQ(OpenAi(Delta("<thi") + Delta("nk>\\nThe [1] is") + Delta(" it</thi") +
                   Delta("nk>\\n\\nIt is [1:title].") + kStop)
                .text,
            "It is [1:title].");
  EXPECT_EQ(OpenAi(Delta("<thin") + kStop).text, "<thin");
  EXPECT_EQ(OpenAi(Delta("<think>for ever") + kStop).text, "");
  EXPECT_EQ(OpenAi(Delta("A <think>b</think>") + kStop).text, "A <think>b</think>");
  EXPECT_EQ(OpenAi("data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n" +
                   Delta("Yes") + kStop)
                .text,
            "Yes");
}

TEST(ChatCodecTest, MakesTheRouteOfAnUrl) {
  const std::tuple<const char*, const char*, const char*, ChatApi> cases[] = {
      {"http://a:1", "auto", "http://a:1/v1/chat/completions", ChatApi::kOpenAi},
      {"http://a:1/", "auto", "http://a:1/v1/chat/completions", ChatApi::kOpenAi},
      {"https://a/api/v1", "auto", "https://a/api/v1/chat/completions", ChatApi::kOpenAi},
      {"https://a/v1/chat/completions", "auto", "https://a/v1/chat/completions", ChatApi::kOpenAi},
      {"https://a/v1/messages", "auto", "https://a/v1/messages", ChatApi::kAnthropic},
      {"https://api.anthropic.com", "auto", "https://api.anthropic.com/v1/messages",
       ChatApi::kAnthropic},
      {"https://a", "anthropic", "https://a/v1/messages", ChatApi::kAnthropic},
      {"https://a", "openai", "https://a/v1/chat/completions", ChatApi::kOpenAi}};
  for (const auto& [url, api, want, want_api] : cases) {
    const auto route = ParseChatUrl(url, api);
    ASSERT_TRUE(route.ok()) << route.status();
    EXPECT_EQ(route->url, want);
    EXPECT_EQ(route->api, want_api) << url;
  }
  for (const char* wrong : {"", "a", "ftp://a", "http://", "http:///v1", "http://user:key@a",
                            "http://a?key=1", "http://a b", "http://a\r\nX: y"}) {
    const absl::Status status = ParseChatUrl(wrong, "auto").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << wrong;
    EXPECT_EQ(status.message().find("user:key"), std::string::npos);
  }
}

GeneratorRequest MakeRequest() {
  GeneratorRequest request;
  request.messages = {{"system", "Lines"}, {"user", "a \"question\""}};
  request.max_tokens = 9;
  return request;
}

TEST(ChatCodecTest, WritesTheBodyOfEachApi) {
  EXPECT_EQ(ChatBody(ChatApi::kOpenAi, "m", MakeRequest()),
            R"({"model":"m","messages":[{"role":"system","content":"Lines"},)"
            R"({"role":"user","content":"a \"question\""}],"max_tokens":9,"temperature":0,)"
            R"("stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(ChatBody(ChatApi::kAnthropic, "m", MakeRequest()),
            R"({"model":"m","system":"Lines","messages":[{"role":"user","content":)"
            R"("a \"question\""}],"max_tokens":9,"temperature":0,"stream":true})");
  EXPECT_EQ(ChatBody(ChatApi::kOpenAi, "", MakeRequest()).find("model"), std::string::npos);
}

TEST(ChatCodecTest, ReadsWhatAnErrorSays) {
  EXPECT_EQ(ReadChatError(R"({"error":{"message":"bad key"}})"), "bad key");
  EXPECT_EQ(ReadChatError(R"({"error":"busy"})"), "busy");
  EXPECT_EQ(ReadChatError(R"({"detail":"Not Found"})"), "Not Found");
  EXPECT_EQ(ReadChatError("<html>"), "");
  EXPECT_EQ(ReadChatError(R"({"message":")" + std::string(300, 'x') + "\"}").size(), 200u);
}

}  // namespace
}  // namespace emptor::services
