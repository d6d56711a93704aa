// Messages and special tokens as the variables of a template.
#include "engine/tokenizer/chat_template.h"

#include <utility>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

using jinja::Origin;
using jinja::Value;
using Variables = std::vector<std::pair<std::string, Value>>;

// The final line end of a template is removed, so ChatML has two.
constexpr std::string_view kChatMl =
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{{ message.content }}<|im_end|>\n"
    "{% endfor %}<|im_start|>assistant\n\n";
constexpr std::string_view kPlainLines =
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n"
    "{% endfor %}assistant:";

/// The layout of models without a template. The texts are ours: they parse.
const jinja::Template& DefaultTemplate(const Vocabulary& vocabulary) {
  static const jinja::Template chat_ml = *jinja::Template::Parse(kChatMl);
  static const jinja::Template plain = *jinja::Template::Parse(kPlainLines);
  const bool marked =
      vocabulary.FindControl("<|im_start|>") && vocabulary.FindControl("<|im_end|>");
  return marked ? chat_ml : plain;
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

/// The roles were checked, so they are markup: templates build markers out of them.
Value Messages(const std::vector<ChatTurn>& turns) {
  const Value role(jinja::Text("role"));
  const Value content(jinja::Text("content"));
  std::vector<Value> messages;
  messages.reserve(turns.size());
  for (const ChatTurn& turn : turns) {
    messages.push_back(Value::DictOf({{role, Value::String(turn.role, Origin::kMarkup)},
                                      {content, Value::String(turn.content, Origin::kContent)}}));
  }
  return Value::ListOf(std::move(messages));
}

Variables MakeVariables(const Vocabulary& vocabulary, const std::vector<ChatTurn>& turns) {
  Variables variables = {{"messages", Messages(turns)},
                         {"add_generation_prompt", Value(true)},
                         {"tools", Value(jinja::None{})},
                         {"documents", Value(jinja::None{})}};
  const VocabularySpec& spec = vocabulary.spec();
  const auto add = [&](const char* name, std::optional<TokenId> id) {
    if (!id) return;
    const std::string& text = spec.tokens[static_cast<size_t>(*id)];
    variables.emplace_back(name, Value::String(text, Origin::kMarkup));
  };
  add("bos_token", spec.bos);
  add("eos_token", spec.eos);
  add("unk_token", spec.unknown);
  return variables;
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

}  // namespace

ChatTemplate ChatTemplate::Refuse(absl::Status reason) {
  ChatTemplate refusing;
  refusing.status_ = std::move(reason);
  return refusing;
}

ChatTemplate ChatTemplate::Parse(std::string_view source, std::string_view where) {
  ChatTemplate made;
  absl::StatusOr<jinja::Template> parsed = jinja::Template::Parse(source);
  if (parsed.ok()) {
    made.own_ = std::make_shared<const jinja::Template>(std::move(*parsed));
    made.where_ = where;
  } else {
    made = Refuse(absl::UnimplementedError(
        fmt::format("{}: {}; send a prompt instead of messages", where, Message(parsed.status()))));
  }
  made.source_ = source;
  return made;
}

ChatTemplate ChatTemplate::FromTokenizerConfig(const JsonView& config) {
  constexpr std::string_view kWhere = "tokenizer_config.json: chat_template";
  const std::optional<JsonView> member = config.Find("chat_template");
  if (!member || member->is_null()) return {};
  if (member->is_string()) return Parse(member->as_string(), kWhere);
  std::string found(DescribeKind(member->kind()));
  if (member->is_array()) {
    for (const JsonView& item : member->Items()) {
      const std::optional<JsonView> name = item.Find("name");
      const std::optional<JsonView> source = item.Find("template");
      if (name && name->is_string() && name->as_string() == "default" && source &&
          source->is_string()) {
        return Parse(source->as_string(), kWhere);
      }
    }
    found += " without a template named \"default\"";
  }
  return Refuse(absl::UnimplementedError(
      fmt::format("{}: expected a string or a list, found {}", kWhere, found)));
}

absl::StatusOr<jinja::Text> ChatTemplate::Render(const Vocabulary& vocabulary,
                                                 const std::vector<ChatTurn>& turns,
                                                 std::time_t now) const {
  if (!status_.ok()) return status_;
  const absl::Status roles = CheckRoles(turns);
  if (!roles.ok()) return roles;
  const jinja::Template& layout = own_ ? *own_ : DefaultTemplate(vocabulary);
  absl::StatusOr<jinja::Text> text = layout.Render(MakeVariables(vocabulary, turns), now);
  if (text.ok()) return text;
  return absl::InvalidArgumentError(
      fmt::format("messages: {}{}{}", where_, where_.empty() ? "" : ": ", Message(text.status())));
}

absl::StatusOr<std::vector<TokenId>> ChatTemplate::Encode(
    const Tokenizer& tokenizer, const std::vector<ChatTurn>& turns) const {
  const absl::StatusOr<jinja::Text> text =
      Render(tokenizer.vocabulary(), turns, std::time(nullptr));
  if (!text.ok()) return text.status();
  std::vector<TokenId> tokens;
  tokenizer.EncodeMarkupInto(*text, tokens);
  return tokens;
}

}  // namespace emptor::engine
