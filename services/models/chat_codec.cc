// JSON of the OpenAI-compatible and the Anthropic-style interface.
#include "services/models/chat_codec.h"

#include <algorithm>

#include "catalog/encoding/json.h"
#include "services/models/generator_settings.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kMaxUrl = 1024;
constexpr size_t kMaxErrorBytes = 200;
constexpr std::string_view kChatRoute = "/chat/completions", kMessagesRoute = "/messages";

bool IsPlainUrl(const std::string& url) {
  return IsGeneratorUrl(url) && url.size() < kMaxUrl &&
         std::all_of(url.begin(), url.end(), [](unsigned char c) {
           return c > 0x20 && c < 0x7f && c != '@' && c != '?' && c != '#';
         });
}

void WriteMessage(const GeneratorMessage& message, catalog::JsonWriter& body) {
  body.BeginObject().Member("role", message.role).Member("content", message.content).EndObject();
}

const std::string* TextOf(const JsonValue& object, std::string_view name) {
  const JsonValue* value = object.Find(name);
  return value != nullptr && value->is_string() ? &value->as_string() : nullptr;
}

/// At most 200 bytes, ended at a character.
std::string Shortened(std::string text) {
  if (text.size() <= kMaxErrorBytes) return text;
  size_t end = kMaxErrorBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace

absl::StatusOr<ChatRoute> ParseChatUrl(std::string url, std::string_view api) {
  const bool is_plain = IsPlainUrl(url);
  const size_t host = url.find("://") + 3;
  while (is_plain && url.size() > host && url.ends_with('/')) url.pop_back();
  if (!is_plain || url.size() <= host || url[host] == '/') {
    const std::string found =
        url.find('@') == std::string::npos ? url.substr(0, 100) : "one that holds a name";
    return absl::InvalidArgumentError(
        "generator: url: expected http://host or https://host, with a path or without, found \"" +
        found + "\"");
  }
  const bool names_messages = url.ends_with(kMessagesRoute);
  const std::string_view authority = std::string_view(url).substr(host, url.find('/', host) - host);
  const bool is_anthropic =
      api == "anthropic" || (api == "auto" && (names_messages || authority == "api.anthropic.com"));
  ChatRoute route{std::move(url), is_anthropic ? ChatApi::kAnthropic : ChatApi::kOpenAi};
  const std::string_view path = is_anthropic ? kMessagesRoute : kChatRoute;
  if (route.url.ends_with(path)) return route;
  if (route.url.find('/', host) == std::string::npos) route.url += "/v1";
  route.url += path;
  return route;
}

std::string ChatBody(ChatApi api, const std::string& model, const GeneratorRequest& request) {
  catalog::JsonWriter body;
  body.BeginObject();
  if (!model.empty()) body.Member("model", model);
  const bool is_openai = api == ChatApi::kOpenAi;
  if (!is_openai) {
    std::string system;
    for (const GeneratorMessage& message : request.messages) {
      if (message.role == "system") system += (system.empty() ? "" : "\n") + message.content;
    }
    if (!system.empty()) body.Member("system", system);
  }
  body.Key("messages").BeginArray();
  for (const GeneratorMessage& message : request.messages) {
    const bool is_system = message.role == "system";
    if (is_system && (!is_openai || message.content.empty())) continue;
    WriteMessage(message, body);
  }
  body.EndArray();
  body.Member("max_tokens", request.max_tokens).Member("temperature", request.temperature);
  body.Member("stream", true);
  if (is_openai) {
    if (request.temperature > 0) body.Member("seed", static_cast<int64_t>(request.seed >> 1));
    body.Key("stream_options").BeginObject().Member("include_usage", true).EndObject();
  }
  body.EndObject();
  return body.Take();
}

std::string ReadChatError(std::string_view body) {
  const auto json = catalog::ParseJson(body);
  if (!json.ok()) return {};
  const JsonValue* error = json->Find("error");
  if (error != nullptr && error->is_string()) return Shortened(error->as_string());
  const std::string* message = error != nullptr ? TextOf(*error, "message") : nullptr;
  if (message == nullptr) message = TextOf(*json, "message");
  if (message == nullptr) message = TextOf(*json, "detail");
  return message == nullptr ? std::string() : Shortened(*message);
}

}  // namespace emptor::services
