// Strict reading of the request, lenient reading of parts that are not text.
#include "services/api/ui_message_request.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "services/api/request_codec.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kMaxMessages = 200, kMaxRoleBytes = 16;

/// The text parts of a message, one after the other. Other parts are what an answer was shown with.
std::string ReadText(ObjectReader& message) {
  const JsonValue* parts = message.Find("parts");
  if (message.ok() && (parts == nullptr || !parts->is_array())) {
    message.Fail("parts", "expected an array");
  }
  std::string text;
  if (!message.ok()) return text;
  for (const JsonValue& part : parts->as_array()) {
    const JsonValue* type = part.Find("type");
    if (type == nullptr || !type->is_string()) {
      message.Fail("parts", "expected objects with a type");
      return {};
    }
    if (type->as_string() != "text") continue;
    const JsonValue* words = part.Find("text");
    if (words == nullptr || !words->is_string()) {
      message.Fail("parts", "expected a text in each part of type text");
      return {};
    }
    text += words->as_string();
  }
  return text;
}

/// False: the last message is not the user's.
bool ReadMessages(ObjectReader& reader, std::vector<HistoryTurn>& history, std::string& question) {
  const JsonValue* messages = reader.Find("messages");
  const bool is_list = messages != nullptr && messages->is_array() &&
                       !messages->as_array().empty() && messages->as_array().size() <= kMaxMessages;
  if (!is_list) {
    reader.Fail("messages", fmt::format("expected 1 to {} messages", kMaxMessages));
    return false;
  }
  std::string role;
  for (size_t i = 0; i < messages->as_array().size(); ++i) {
    ObjectReader message(messages->as_array()[i], fmt::format("messages[{}]", i));
    role.clear();
    message.Text("role", kMaxRoleBytes, role);
    const bool is_known = role == "user" || role == "assistant" || role == "system";
    if (!is_known) message.Fail("role", "expected user, assistant or system");
    std::string text = ReadText(message);
    reader.Take(message.status());
    if (!reader.ok()) return false;
    AddChatMessage(role, text, history);
    question = std::move(text);
  }
  return role == "user";
}

}  // namespace

absl::StatusOr<AssistRequest> ParseUiMessageBody(std::string_view json) {
  catalog::JsonLimits limits;
  limits.max_depth = 16;
  const auto value = catalog::ParseJson(json, limits);
  if (!value.ok()) return InvalidField("body", std::string(value.status().message()));
  AssistRequest request;
  ObjectReader reader(*value, "");
  reader.Allow(kQuestionMembers, {"id", "messages", "trigger", "messageId"});
  if (!ReadMessages(reader, request.history, request.message)) {
    reader.Fail("messages", "expected the last one to be the user's");
  }
  ReadQuestionMembers(reader, request);
  if (!reader.ok()) return reader.status();
  request.history.pop_back();  // the question itself
  const bool is_blank = request.message.find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank || request.message.size() > kMaxMessageBytes) {
    return InvalidField(
        "messages",
        fmt::format("expected the last one to have 1 to {} bytes of text", kMaxMessageBytes));
  }
  request.is_stored = reader.Find("conversation_id") != nullptr;
  return request;
}

}  // namespace emptor::services
