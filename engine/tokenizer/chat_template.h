// Formats chat messages as the model was trained to read them.
#pragma once

#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/jinja/template.h"
#include "engine/json/json_tree.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

/// One message; both views live as long as the call they are given to.
struct ChatTurn {
  std::string_view role;  // "system", "user" or "assistant"
  std::string_view content;
};

/// The chat template that came with a model (docs/chat_templates.md), or a plain layout where none
/// came: ChatML when the vocabulary has its markers, else a line `role: content` for each message.
/// Special tokens are recognised in what the template writes, never in what it copies out of the
/// messages. A template that cannot be used refuses each chat with the reason.
/// Thread-safety: immutable.
class ChatTemplate {
 public:
  /// Without a template of its own.
  ChatTemplate() = default;
  /// What does not parse gives a template that refuses; `where` names the place in the reason.
  static ChatTemplate Parse(std::string_view source, std::string_view where);
  /// Refuses each chat with that reason.
  static ChatTemplate Refuse(absl::Status reason);
  /// The member chat_template of a tokenizer_config.json: a string, or a list of
  /// {"name", "template"}, of which "default" is taken. Without the member: no template of its own.
  static ChatTemplate FromTokenizerConfig(const JsonView& config);

  /// Whether the model has a template of its own, usable or not.
  bool own() const { return own_ != nullptr || !status_.ok(); }
  /// The text of that template; empty when there is none.
  const std::string& source() const { return source_; }
  /// Why chats are refused, or OK.
  const absl::Status& status() const { return status_; }

  /// What the template writes for the conversation, ready for the assistant's answer; the bytes of
  /// the messages' contents are marked as such.
  /// Errors: status(); kInvalidArgument (no message, an unknown role, the template refuses).
  absl::StatusOr<jinja::Text> Render(const Vocabulary& vocabulary,
                                     const std::vector<ChatTurn>& turns, std::time_t now) const;

  /// The tokens of what Render writes. No token is put in front of it: a template that wants the
  /// beginning of text writes bos_token.
  absl::StatusOr<std::vector<TokenId>> Encode(const Tokenizer& tokenizer,
                                              const std::vector<ChatTurn>& turns) const;

 private:
  std::shared_ptr<const jinja::Template> own_;
  std::string where_, source_;
  absl::Status status_;
};

}  // namespace emptor::engine
