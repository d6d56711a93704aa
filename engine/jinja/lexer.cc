// One pass over the text; the rules of white space are those of Jinja 3.
#include "engine/jinja/lexer.h"

#include <algorithm>
#include <optional>

#include "engine/jinja/string_literal.h"
#include "engine/jinja/text.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

/// Converts every line end to \n and removes the last one.
std::string NormalizeNewlines(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n') continue;
    out += source[i] == '\r' ? '\n' : source[i];
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  absl::StatusOr<std::vector<Token>> Run() {
    while (error_.empty() && at_ < source_.size()) ReadText();
    Add(TokenKind::kEnd, "");
    if (!error_.empty()) return absl::InvalidArgumentError(error_);
    return std::move(tokens_);
  }

 private:
  void Fail(std::string_view what) {
    if (error_.empty()) error_ = fmt::format("line {}: {}", line_, what);
  }
  void Add(TokenKind kind, std::string text) { tokens_.push_back({kind, line_, std::move(text)}); }

  std::string_view Rest() const { return source_.substr(at_); }
  void Advance(size_t bytes) {
    line_ += static_cast<int>(
        std::count(source_.begin() + long(at_), source_.begin() + long(at_ + bytes), '\n'));
    at_ += bytes;
  }
  size_t SpacesAt(size_t at) const {
    return Strip(source_.substr(at), nullptr, {.left = true, .right = false}).first;
  }

  /// The next tag at or after `from`, and its kind: '{', '%' or '#'.
  size_t FindTag(size_t from) const {
    for (size_t at = source_.find('{', from); at != kNowhere; at = source_.find('{', at + 1)) {
      const char next = at + 1 < source_.size() ? source_[at + 1] : ' ';
      if (next == '{' || next == '%' || next == '#') return at;
    }
    return kNowhere;
  }

  /// The text before a tag after trimming; `sign` is the tag's '-' or '+' or neither.
  std::string_view TrimBefore(std::string_view text, char sign, bool output) const {
    if (sign == '-') {
      return text.substr(0, Strip(text, nullptr, {.left = false, .right = true}).second);
    }
    if (sign == '+' || output) return text;
    const size_t line = text.rfind('\n') + 1;  // 0 where there is none
    if (line == 0 && !line_starts_) return text;
    const std::string_view last = text.substr(line);
    const bool blank = Strip(last, nullptr, {.left = true, .right = false}).first == last.size();
    return blank ? text.substr(0, line) : text;
  }

  void AddText(std::string_view text) {
    if (!text.empty()) Add(TokenKind::kText, std::string(text));
  }

  void ReadText() {
    const size_t tag = FindTag(at_);
    if (tag == kNowhere) {
      AddText(Rest());
      at_ = source_.size();
      return;
    }
    const char kind = source_[tag + 1];
    const char sign = tag + 2 < source_.size() ? source_[tag + 2] : ' ';
    const bool signed_tag = sign == '-' || sign == '+';
    AddText(TrimBefore(source_.substr(at_, tag - at_), sign, kind == '{'));
    Advance(tag - at_ + 2 + (signed_tag ? 1 : 0));
    if (kind == '#') return SkipComment();
    if (kind == '%' && ReadRaw()) return;
    Add(kind == '{' ? TokenKind::kOutputBegin : TokenKind::kBlockBegin, "");
    ReadTag(kind == '{' ? "}}" : "%}");
  }

  /// After the end of a block or comment; `sign` preceded the end.
  void EndTag(size_t bytes, char sign, bool block) {
    Advance(bytes);
    size_t skip = 0;
    if (sign == '-') {
      skip = SpacesAt(at_);
    } else if (sign != '+' && block && at_ < source_.size() && source_[at_] == '\n') {
      skip = 1;
    }
    Advance(skip);
    line_starts_ = source_[at_ - 1] == '\n';
  }

  void SkipComment() {
    const size_t end = source_.find("#}", at_);
    if (end == kNowhere) {
      Fail("a comment without an end");
      at_ = source_.size();
      return;
    }
    const char sign = end > at_ ? source_[end - 1] : ' ';
    EndTag(end + 2 - at_, sign, true);
  }

  /// The length of `[spaces] word [spaces] [sign] %}` at `at`, and the sign; nothing if it is not
  /// there.
  std::optional<std::pair<size_t, char>> MatchWordTag(size_t at, std::string_view word) const {
    const size_t begin = at;
    at += SpacesAt(at);
    if (!source_.substr(at).starts_with(word)) return std::nullopt;
    at += word.size();
    at += SpacesAt(at);
    char sign = ' ';
    if (at < source_.size() && (source_[at] == '-' || source_[at] == '+')) sign = source_[at++];
    if (!source_.substr(at).starts_with("%}")) return std::nullopt;
    return std::pair(at + 2 - begin, sign);
  }

  /// A raw block from after its `{%`; false if the tag is another one.
  bool ReadRaw() {
    const auto opening = MatchWordTag(at_, "raw");
    if (!opening) return false;
    EndTag(opening->first, opening->second, false);
    for (size_t tag = source_.find("{%", at_); tag != kNowhere; tag = source_.find("{%", tag + 2)) {
      const char sign = tag + 2 < source_.size() ? source_[tag + 2] : ' ';
      const size_t skip = sign == '-' || sign == '+' ? 3 : 2;
      const auto closing = MatchWordTag(tag + skip, "endraw");
      if (!closing) continue;
      AddText(TrimBefore(source_.substr(at_, tag - at_), sign, false));
      EndTag(tag - at_ + skip + closing->first, closing->second, true);
      return true;
    }
    Fail("a raw block without an end");
    at_ = source_.size();
    return true;
  }

  void ReadTag(std::string_view end) {
    brackets_.clear();
    while (error_.empty()) {
      Advance(SpacesAt(at_));
      if (at_ == source_.size()) return Fail("a tag without an end");
      if (brackets_.empty()) {
        const char first = source_[at_];
        const bool may_sign = first == '-' || (first == '+' && end == "%}");
        if (Rest().starts_with(end) || (may_sign && Rest().substr(1).starts_with(end))) {
          const bool block = end == "%}";
          Add(block ? TokenKind::kBlockEnd : TokenKind::kOutputEnd, "");
          return EndTag(may_sign ? 3 : 2, may_sign ? first : ' ', block);
        }
      }
      ReadToken();
    }
  }

  void ReadToken() {
    const char c = source_[at_];
    if (IsNameStart(c)) return ReadName();
    if (IsDigit(c)) return ReadNumber();
    if (c == '"' || c == '\'') return ReadString();
    static constexpr std::string_view kLong[] = {"//", "**", "==", "!=", ">=", "<="};
    for (const std::string_view symbol : kLong) {
      if (Rest().starts_with(symbol)) return ReadSymbol(2);
    }
    if (std::string_view("+-/*%~[](){}<>=.:|,").find(c) != kNowhere) return ReadSymbol(1);
    Fail(fmt::format("unexpected character {:?}", Rest().substr(0, CharacterBytes(Rest()))));
  }

  void ReadSymbol(size_t bytes) {
    const std::string symbol(Rest().substr(0, bytes));
    if (symbol == "(" || symbol == "[" || symbol == "{") brackets_ += symbol;
    if (symbol == ")" || symbol == "]" || symbol == "}") {
      const char opening = symbol == ")" ? '(' : symbol == "]" ? '[' : '{';
      if (!brackets_.ends_with(opening)) return Fail(fmt::format("unexpected {:?}", symbol));
      brackets_.pop_back();
    }
    Add(TokenKind::kSymbol, symbol);
    Advance(bytes);
  }

  void ReadName() {
    size_t end = at_;
    while (end < source_.size() && (IsNameStart(source_[end]) || IsDigit(source_[end]))) ++end;
    Add(TokenKind::kName, std::string(source_.substr(at_, end - at_)));
    Advance(end - at_);
  }

  size_t DigitsFrom(size_t at) const {
    while (at < source_.size() && (IsDigit(source_[at]) || source_[at] == '_')) ++at;
    return at;
  }

  void ReadNumber() {
    size_t end = DigitsFrom(at_);
    bool real = false;
    if (end + 1 < source_.size() && source_[end] == '.' && IsDigit(source_[end + 1])) {
      end = DigitsFrom(end + 1);
      real = true;
    }
    if (end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
      size_t digits = end + 1;
      if (digits < source_.size() && (source_[digits] == '+' || source_[digits] == '-')) ++digits;
      if (digits < source_.size() && IsDigit(source_[digits])) {
        end = DigitsFrom(digits);
        real = true;
      }
    }
    std::string digits(source_.substr(at_, end - at_));
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    Add(real ? TokenKind::kReal : TokenKind::kInteger, std::move(digits));
    Advance(end - at_);
  }

  void ReadString() {
    const char quote = source_[at_];
    size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) return Fail("a string without an end");
    const auto decoded = DecodeStringLiteral(source_.substr(at_ + 1, end - at_ - 1));
    if (!decoded.ok())
      return Fail(
          std::string_view(decoded.status().message().data(), decoded.status().message().size()));
    Add(TokenKind::kString, *decoded);
    Advance(end + 1 - at_);
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  bool line_starts_ = true;  // the last tag ended with a line
  std::string brackets_;     // that are open
  std::vector<Token> tokens_;
  std::string error_;
};

}  // namespace

absl::StatusOr<std::vector<Token>> Tokenize(std::string_view source) {
  const std::string normal = NormalizeNewlines(source);
  return Lexer(normal).Run();
}

}  // namespace emptor::engine::jinja
