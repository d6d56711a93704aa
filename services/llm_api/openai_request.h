// Bodies of the OpenAI-compatible routes, read strictly: unknown fields are refused by name; known
// but unsupported fields are refused unless they have their neutral value.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/engine.h"

namespace emptor::services {

inline constexpr size_t kMaxLlmBodyBytes = 4u << 20;
inline constexpr int kMaxChoices = 16;      // n
inline constexpr size_t kMaxPrompts = 64;   // of one completion request
inline constexpr size_t kMaxInputs = 2048;  // of one embedding request
inline constexpr int kMaxNewTokens = 1 << 20;

/// A request of /v1/chat/completions or /v1/completions.
struct TextBody {
  bool chat = false;
  std::string model;  // empty: the active one
  /// One for each prompt, alike but for it. `max_tokens` is 0 where the request leaves it open.
  std::vector<engine::GenerationRequest> requests;
  bool stream = false;
  bool include_usage = false;
  std::optional<std::chrono::milliseconds> timeout;

  // For the assistant:
  std::string question;  // the last user message
  std::optional<std::string> conversation_id;
  std::string locale;
  /// The first field that the assistant cannot honour; empty: none.
  std::string not_for_assistant;
};

/// Errors: kInvalidArgument ("messages[1].content: ..."), kUnimplemented for what is known and not
/// supported ("tools: ...").
absl::StatusOr<TextBody> ParseChatBody(std::string_view json);
absl::StatusOr<TextBody> ParseCompletionBody(std::string_view json);

/// A request of /v1/embeddings.
struct EmbeddingBody {
  std::string model;                         // empty: the active encoder
  std::vector<std::string> texts;            // or
  std::vector<std::vector<int32_t>> tokens;  // of the model's own tokenizer
  bool base64 = false;
  int dimensions = 0;    // 0: all
  bool queries = false;  // what is searched for; otherwise what is searched in
};
absl::StatusOr<EmbeddingBody> ParseEmbeddingBody(std::string_view json);

/// The value of X-Request-Timeout: seconds, "2.5". Errors: kInvalidArgument.
absl::StatusOr<std::chrono::milliseconds> ParseTimeoutHeader(std::string_view value);

}  // namespace emptor::services
