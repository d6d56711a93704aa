// How the events of an answer become the bytes of a stream.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "services/assistant/events/assist_events.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// Of one answer: `write` is called for its events in turn.
struct AnswerFormat {
  /// `id`: 1, 2, 3, ...
  std::function<std::string(int64_t id, const AssistEvent& event)> write;
  /// What the stream begins with, and its last words when the service stops.
  StreamOptions options;
};

/// The events of docs/conversations.md and /openapi.json, with their ids. `base_url` begins links;
/// `request_id` goes into errors.
AnswerFormat MakeEventFormat(const std::string& base_url, const std::string& request_id);

/// The UI message stream of the AI SDK, version 1 (ai-sdk.dev, "Stream Protocols"): parts without
/// ids, `[DONE]` at the end. Cards are a part `data-products`; a citation is a part
/// `data-citation`, and each source, at its first citation, a part `source-url` or
/// `source-document`.
AnswerFormat MakeUiMessageFormat(const std::string& base_url);

/// The header of the second, in an answer and in a request for it; its value is "v1".
inline constexpr const char* kUiMessageHeader = "x-vercel-ai-ui-message-stream";

}  // namespace emptor::services
