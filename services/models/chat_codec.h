// Requests to chat endpoints: the route, the body, and what an error says.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/models/text_generator.h"

namespace emptor::services {

enum class ChatApi {
  kOpenAi,     // POST /v1/chat/completions
  kAnthropic,  // POST /v1/messages
};

struct ChatRoute {
  std::string url;  // of the route
  ChatApi api = ChatApi::kOpenAi;
};

/// The route of "https://host", ".../v1", ".../v1/chat/completions" or ".../v1/messages". `api` is
/// "openai", "anthropic", or "auto": Anthropic's where the URL ends in /messages or its host is
/// api.anthropic.com. Errors: kInvalidArgument, beginning with "generator: url: ".
absl::StatusOr<ChatRoute> ParseChatUrl(std::string url, std::string_view api);

/// The body of a request for a stream. An empty model is left out.
std::string ChatBody(ChatApi api, const std::string& model, const GeneratorRequest& request);

/// What the body of an error says, at most 200 bytes: the message of "error", "message" or
/// "detail"; empty where it is none of these.
std::string ReadChatError(std::string_view body);

}  // namespace emptor::services
