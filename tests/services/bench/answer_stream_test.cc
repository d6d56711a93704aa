// Event streams of the OpenAI API, cut anywhere.
#include "services/bench/answer_stream.h"

#include "gtest/gtest.h"

namespace emptor::services {
namespace {

constexpr std::string_view kChat =
    ": ping\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"}}],\"usage\":null}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" you\"}}]}\r\n\r\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,"
    "\"prompt_tokens_details\":{\"cached_tokens\":8}}}\n\n"
    "data: [DONE]\n\n";

TEST(AnswerStreamTest, ReadsAChatCutAtEveryByte) {
  for (size_t cut = 0; cut <= kChat.size(); ++cut) {
    AnswerStream stream;
    stream.Push(kChat.substr(0, cut), 1);
    stream.Push(kChat.substr(cut), 2);
    EXPECT_EQ(stream.text_times().size(), 2u);
    EXPECT_EQ(stream.prompt_tokens(), 9);
    EXPECT_EQ(stream.completion_tokens(), 2);
    EXPECT_EQ(stream.cached_tokens(), 8);
    EXPECT_EQ(stream.finish_reason(), "length");
    EXPECT_TRUE(stream.complete());
    EXPECT_EQ(stream.failure(), "");
  }
}

TEST(AnswerStreamTest, NotesWhenTextCame) {
  AnswerStream stream;
  stream.Push("data: {\"choices\":[{\"text\":\"a\"}]}\n\ndata: {\"choices\":[{\"te", 1.5);
  stream.Push("xt\":\"b\"}]}\n\n", 2.5);
  EXPECT_EQ(stream.text_times(), (std::vector<double>{1.5, 2.5}));
  EXPECT_FALSE(stream.complete());
  EXPECT_EQ(stream.completion_tokens(), -1);
}

TEST(AnswerStreamTest, ReportsWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"data: {\"choices\"\n\n", "malformed event"},
      {"data: 7\n\n", "malformed event"},
      {"data: {\"error\":{\"message\":\"out of memory\"}}\n\n", "error event"},
      {"data: {\"choices\":[{\"text\":\"a\"}],\"error\":null}\n\n", ""},
      {"data: {\"choices\":[]}\n\n", ""},
      {"data: {\"choices\":\"none\",\"usage\":[]}\n\n", ""},
      {"data: {\"choices\":[{\"delta\":7}],\"usage\":{\"prompt_tokens\":\"x\"}}\n\n", ""}};
  for (const auto& [text, failure] : cases) {
    AnswerStream stream;
    stream.Push(text, 0);
    EXPECT_EQ(stream.failure(), failure) << text;
    EXPECT_FALSE(stream.complete()) << text;
  }
}

}  // namespace
}  // namespace emptor::services
