// Lays out chat messages as the model was trained to read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

/// One message; both views live as long as the call they are given to.
struct ChatTurn {
  std::string_view role;  // "system", "user" or "assistant"
  std::string_view content;
};

/// The layout of a model's chats, told from the text of its template. Markers become control
/// tokens by their id; content is encoded as plain text, so none of it can forge a marker.
/// Thread-safety: immutable.
class ChatTemplate {
 public:
  enum class Layout { kNone, kChatMl, kLlama3, kLlama2 };

  /// Recognises ChatML, Llama-3 and Llama-2 by their markers; anything else is kNone.
  static ChatTemplate Recognise(std::string_view template_text);
  explicit ChatTemplate(Layout layout) : layout_(layout) {}

  Layout layout() const { return layout_; }

  /// The tokens of the conversation, ready for the assistant's answer.
  /// Errors: kUnimplemented (no known layout), kInvalidArgument (unknown role, no message, a marker
  /// that the vocabulary lacks, turns out of order where the layout has an order).
  absl::StatusOr<std::vector<TokenId>> Encode(const Tokenizer& tokenizer,
                                              const std::vector<ChatTurn>& turns) const;

 private:
  Layout layout_;
};

}  // namespace emptor::engine
