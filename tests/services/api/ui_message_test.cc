// The AI SDK's chats: what they send, and the parts that they are sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/api/answer_format.h"
#include "services/api/ui_message_request.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string MessageOf(const std::string& role, const std::string& text) {
  return R"({"id":"m","role":")" + role + R"(","parts":[{"type":"text","text":")" + text +
         R"("}]})";
}

TEST(UiMessageRequestTest, TheLastMessageIsTheQuestionAndTheOthersAreTheHistory) {
  const auto request = ParseUiMessageBody(
      R"({"id":"chat","trigger":"submit-message","messageId":null,"locale":"de-AT","messages":[)" +
      MessageOf("system", "be rude") + "," + MessageOf("user", "a kettle") +
      R"(,{"id":"a_1","role":"assistant","metadata":{"x":1},"parts":[{"type":"data-products",)"
      R"("data":{"items":[]}},{"type":"text","text":"One ","state":"done"},{"type":"step-start"},)"
      R"({"type":"text","text":"kettle."}]},)" +
      MessageOf("user", "in stock?") + "]}");
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->message, "in stock?");
  ASSERT_EQ(request->history.size(), 1u);
  EXPECT_EQ(request->history[0].question, "a kettle");
  EXPECT_EQ(request->history[0].answer, "One kettle.");
  EXPECT_EQ(request->locale, "de-AT");
  EXPECT_FALSE(request->is_stored);
  const auto stored =
      ParseUiMessageBody(R"({"conversation_id":"","messages":[)" + MessageOf("user", "x") + "]}");
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_TRUE(stored->is_stored);
}

TEST(UiMessageRequestTest, SaysWhatIsWrong) {
  const auto messages = [](const std::string& list) { return R"({"messages":[)" + list + "]}"; };
  std::string many = MessageOf("user", "x");
  for (int i = 0; i < 200; ++i) many += "," + MessageOf("user", "x");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "body: "},
      {"[]", "body: expected an object"},
      {"{}", "messages: expected 1 to 200 messages"},
      {R"({"messages":{}})", "messages: expected 1 to 200 messages"},
      {messages(""), "messages: expected 1 to 200 messages"},
      {messages(many), "messages: expected 1 to 200 messages"},
      {messages("7"), "messages[0]: expected an object"},
      {messages(R"({"role":"tool","parts":[]})"), "messages[0].role: expected user"},
      {messages(R"({"parts":[]})"), "messages[0].role: expected user"},
      {messages(R"({"role":"user"})"), "messages[0].parts: expected an array"},
      {messages(R"({"role":"user","parts":[7]})"), "messages[0].parts: expected objects"},
      {messages(R"({"role":"user","parts":[{"type":"text"}]})"),
       "messages[0].parts: expected a text"},
      {messages(R"({"role":"user","parts":[{"type":"file"}]})"),
       "messages: expected the last one to "},
      {messages(MessageOf("user", "  ")), "messages: expected the last one to have 1 to 4096"},
      {messages(MessageOf("user", std::string(5000, 'x'))),
       "messages: expected the last one to have"},
      {messages(MessageOf("user", "x") + "," + MessageOf("assistant", "y")),
       "messages: expected the last one to be the user's"},
      {R"({"colour":1,"messages":[)" + MessageOf("user", "x") + "]}", "colour: unknown field"},
      {R"({"max_tokens":0,"messages":[)" + MessageOf("user", "x") + "]}", "max_tokens: must be"}};
  for (const auto& [body, message] : cases) {
    const auto request = ParseUiMessageBody(body);
    ASSERT_FALSE(request.ok()) << body.substr(0, 200);
    EXPECT_THAT(std::string(request.status().message()), StartsWith(message));
  }
}

/// The types of the parts in turn.
std::vector<std::string> TypesOf(const std::string& stream) {
  std::vector<std::string> types;
  const std::string head = "data: {\"type\":\"";
  for (size_t at = 0; at < stream.size();) {
    const size_t end = stream.find("\n\n", at);
    EXPECT_NE(end, std::string::npos);
    const std::string line = stream.substr(at, end - at);
    types.push_back(line == "data: [DONE]"
                        ? "[DONE]"
                        : line.substr(head.size(), line.find('"', head.size()) - head.size()));
    at = end + 2;
  }
  return types;
}

TEST(UiMessageFormatTest, WritesTextOnceBegunAndEachSourceOnce) {
  const AnswerFormat format = MakeUiMessageFormat("https://shop.example");
  StartEvent start;
  start.id = "a_1";
  ProductsEvent products;
  products.items.resize(1);
  products.items[0].product.id = "k20";
  products.items[0].product.title = "Kettle";
  DoneEvent done;
  done.finish_reason = "repetition";
  std::string stream;
  int64_t id = 0;
  for (const AssistEvent& event : std::vector<AssistEvent>{
           start, products, DeltaEvent{"A "}, Citation{1, "k20", "k20#title", "Kettle"},
           DeltaEvent{"kettle."}, Citation{1, "k20", "k20#price", "$1"},
           Citation{2, "", "returns.p1", "30 days"}, done}) {
    stream += format.write(++id, event);
  }
  EXPECT_THAT(TypesOf(stream),
              ElementsAre("start", "data-products", "text-start", "text-delta", "data-citation",
                          "source-url", "text-delta", "data-citation", "data-citation",
                          "source-document", "text-end", "finish", "[DONE]"));
  EXPECT_THAT(stream, HasSubstr(R"({"type":"source-url","sourceId":"1",)"
                                R"("url":"https://shop.example/p/k20","title":"Kettle"})"));
  EXPECT_THAT(stream, HasSubstr(R"("title":"returns.p1")"));
  EXPECT_THAT(stream, HasSubstr(R"("finishReason":"other")"));
}

TEST(UiMessageFormatTest, AnErrorEndsTheText) {
  const AnswerFormat format = MakeUiMessageFormat("");
  std::string stream = format.write(1, StartEvent{});
  stream += format.write(2, DeltaEvent{"A"});
  stream += format.write(3, ErrorEvent{"unavailable", "the model is gone", true});
  EXPECT_THAT(TypesOf(stream),
              ElementsAre("start", "text-start", "text-delta", "text-end", "error", "[DONE]"));
  EXPECT_THAT(stream, HasSubstr(R"("errorText":"the model is gone")"));
  EXPECT_THAT(format.options.last_words, HasSubstr(R"("type":"error")"));
  EXPECT_THAT(TypesOf(format.options.last_words), ElementsAre("error", "[DONE]"));
}

}  // namespace
}  // namespace emptor::services
