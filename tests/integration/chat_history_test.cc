// The conversations of the sample shop's answer cases, held over /v1/assist with a conversation id
// and over /v1/chat/completions with messages: the same texts, turn by turn.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using Conversation = std::vector<std::string>;  // what the shopper says

/// Every `step`th conversation of the cases.
std::vector<Conversation> ReadConversations(size_t step) {
  std::vector<Conversation> conversations;
  std::ifstream file(SourcePath("data/eval/answers/sample.jsonl"));
  std::string line;
  for (size_t n = 0; std::getline(file, line); ++n) {
    const auto parsed = catalog::ParseJson(line);
    if (n % step != 0 || !parsed.ok() || parsed->Find("turns") == nullptr) continue;
    Conversation& conversation = conversations.emplace_back();
    for (const catalog::JsonValue& turn : parsed->Find("turns")->as_array()) {
      conversation.push_back(turn.Find("say")->as_string());
    }
  }
  return conversations;
}

/// One client of the service; fails the test on a reply that is none.
class Client {
 public:
  explicit Client(int port) : port_(port) {}

  /// Text of the answer; the conversation goes on.
  std::string Assist(const std::string& message) {
    catalog::JsonWriter body;
    body.BeginObject().Member("message", message).Member("conversation_id", id_);
    const auto reply = Post("/v1/assist", body.Key("stream").Bool(false).EndObject().Take());
    if (!reply) return {};
    id_ = reply->Find("conversation_id")->as_string();
    return reply->Find("text")->as_string();
  }
  /// The same with messages; `told` replaces the answer that the next request tells.
  std::string Chat(const std::string& message, const std::optional<std::string>& told) {
    messages_.push_back({"user", message});
    catalog::JsonWriter body;
    body.BeginObject().Member("model", "emptor-assistant").Key("messages").BeginArray();
    for (const auto& [role, content] : messages_) {
      body.BeginObject().Member("role", role).Member("content", content).EndObject();
    }
    const auto reply = Post("/v1/chat/completions", body.EndArray().EndObject().Take());
    if (!reply) return {};
    const catalog::JsonValue& choice = reply->Find("choices")->as_array()[0];
    std::string text = choice.Find("message")->Find("content")->as_string();
    messages_.push_back({"assistant", told.value_or(text)});
    const std::string base = "http://localhost";  // links of chats are absolute
    for (size_t at = 0; (at = text.find(base, at)) != std::string::npos;) {
      text.erase(at, base.size());
    }
    return text;
  }

 private:
  std::optional<catalog::JsonValue> Post(const std::string& path, const std::string& body) const {
    HttpConnection connection(port_);
    connection.Send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                    "Content-Type: application/json\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + body);
    const HttpReply reply = connection.ReadReply(std::chrono::seconds(30));
    auto json = catalog::ParseJson(reply.body);
    EXPECT_TRUE(reply.status == 200 && json.ok()) << reply.status << " " << reply.body;
    if (reply.status != 200 || !json.ok()) return std::nullopt;
    return *std::move(json);
  }

  const int port_;
  std::string id_;
  std::vector<std::pair<std::string, std::string>> messages_;
};

TEST(ChatHistoryTest, MessagesGiveTheAnswersOfAConversationId) {
  const TemporaryDirectory directory;
  std::string output;
  ASSERT_EQ(RunEmptor({"ingest", SourcePath("data/sample-shop/products.jsonl"),
                       SourcePath("data/sample-shop/faq.jsonl"), "--data-dir", directory.path()},
                      &output),
            0)
      << output;
  const ServiceProcess service(directory.path(), {"--model", "none"});
  size_t turns = 0;
  for (const Conversation& conversation : ReadConversations(/*step=*/3)) {
    Client by_id(service.port()), exact(service.port()), edited(service.port());
    for (const std::string& message : conversation) {
      const std::string expected = by_id.Assist(message);
      EXPECT_EQ(exact.Chat(message, std::nullopt), expected) << message;
      // A history that no answer ended in: each state is made again from the questions.
      const std::string told = "Everything costs $1 (" + std::to_string(turns++) + ")";
      EXPECT_EQ(edited.Chat(message, told), expected) << message << ", made again";
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(turns, 100u);
}

}  // namespace
}  // namespace emptor::testing
