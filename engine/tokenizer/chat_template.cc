// ChatML, Llama-3 and Llama-2 layouts.
#include "engine/tokenizer/chat_template.h"

#include <optional>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

/// Collects text and control tokens; text between two control tokens is encoded as one piece.
class Layouter {
 public:
  explicit Layouter(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  void Text(std::string_view text) { text_ += text; }
  void Control(std::string_view name) {
    const std::optional<TokenId> id = tokenizer_.vocabulary().FindControl(name);
    if (!id && status_.ok()) {
      status_ = absl::InvalidArgumentError(
          fmt::format("tokenizer.ggml.tokens: the chat template needs the control token {}", name));
    }
    if (id) Token(*id);
  }
  void Token(TokenId id) {
    FlushText();
    tokens_.push_back(id);
  }
  absl::StatusOr<std::vector<TokenId>> Finish() {
    FlushText();
    if (!status_.ok()) return status_;
    return std::move(tokens_);
  }
  const VocabularySpec& spec() const { return tokenizer_.vocabulary().spec(); }

 private:
  void FlushText() {
    if (!text_.empty()) tokenizer_.EncodeInto(text_, tokens_);
    text_.clear();
  }

  const Tokenizer& tokenizer_;
  std::vector<TokenId> tokens_;
  std::string text_;
  absl::Status status_;
};

void LayOutChatMl(const std::vector<ChatTurn>& turns, Layouter& out) {
  if (out.spec().add_bos) out.Token(*out.spec().bos);
  for (const ChatTurn& turn : turns) {
    out.Control("<|im_start|>");
    out.Text(turn.role);
    out.Text("\n");
    out.Text(turn.content);
    out.Control("<|im_end|>");
    out.Text("\n");
  }
  out.Control("<|im_start|>");
  out.Text("assistant\n");
}

void LayOutLlama3(const std::vector<ChatTurn>& turns, Layouter& out) {
  const auto header = [&](std::string_view role) {
    out.Control("<|start_header_id|>");
    out.Text(role);
    out.Control("<|end_header_id|>");
    out.Text("\n\n");
  };
  out.Control("<|begin_of_text|>");
  for (const ChatTurn& turn : turns) {
    header(turn.role);
    out.Text(turn.content);
    out.Control("<|eot_id|>");
  }
  header("assistant");
}

/// The system turn is written into the first user turn; user and assistant alternate.
absl::Status LayOutLlama2(const std::vector<ChatTurn>& turns, Layouter& out) {
  size_t i = turns.front().role == "system" ? 1 : 0;
  const std::string_view system = i == 1 ? turns.front().content : std::string_view();
  bool first = true;
  bool user_next = true;
  for (; i < turns.size(); ++i, user_next = !user_next) {
    const ChatTurn& turn = turns[i];
    if (turn.role != (user_next ? "user" : "assistant")) {
      return absl::InvalidArgumentError(fmt::format("messages[{}].role: expected {}, found {}", i,
                                                    user_next ? "user" : "assistant", turn.role));
    }
    if (!user_next) {
      out.Text(fmt::format(" {} ", turn.content));
      if (out.spec().eos) out.Token(*out.spec().eos);
      continue;
    }
    if (out.spec().bos) out.Token(*out.spec().bos);
    out.Text("[INST] ");
    if (first && !system.empty()) out.Text(fmt::format("<<SYS>>\n{}\n<</SYS>>\n\n", system));
    out.Text(turn.content);
    out.Text(" [/INST]");
    first = false;
  }
  if (user_next) return absl::InvalidArgumentError("messages: the last must be the user's");
  return absl::OkStatus();
}

absl::Status CheckRoles(const std::vector<ChatTurn>& turns) {
  if (turns.empty()) return absl::InvalidArgumentError("messages: empty");
  for (size_t i = 0; i < turns.size(); ++i) {
    const std::string_view role = turns[i].role;
    if (role != "system" && role != "user" && role != "assistant") {
      return absl::InvalidArgumentError(fmt::format(
          "messages[{}].role: expected system, user or assistant, found {:?}", i, role));
    }
  }
  return absl::OkStatus();
}

}  // namespace

ChatTemplate ChatTemplate::Recognise(std::string_view template_text) {
  const auto has = [&](std::string_view marker) {
    return template_text.find(marker) != std::string_view::npos;
  };
  if (has("<|im_start|>")) return ChatTemplate(Layout::kChatMl);
  if (has("<|start_header_id|>")) return ChatTemplate(Layout::kLlama3);
  if (has("[INST]")) return ChatTemplate(Layout::kLlama2);
  return ChatTemplate(Layout::kNone);
}

absl::StatusOr<std::vector<TokenId>> ChatTemplate::Encode(
    const Tokenizer& tokenizer, const std::vector<ChatTurn>& turns) const {
  if (layout_ == Layout::kNone) {
    return absl::UnimplementedError(
        "tokenizer.chat_template: absent or of an unknown layout; send a prompt instead");
  }
  const absl::Status roles = CheckRoles(turns);
  if (!roles.ok()) return roles;
  Layouter out(tokenizer);
  if (layout_ == Layout::kChatMl) LayOutChatMl(turns, out);
  if (layout_ == Layout::kLlama3) LayOutLlama3(turns, out);
  if (layout_ == Layout::kLlama2) {
    const absl::Status laid_out = LayOutLlama2(turns, out);
    if (!laid_out.ok()) return laid_out;
  }
  return out.Finish();
}

}  // namespace emptor::engine
