// Tokens of a message.
#include "retrieval/query/query_tokens.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "catalog/encoding/utf8.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

using Kind = QueryToken::Kind;

bool IsIdeograph(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
  constexpr char32_t kProlongedSound = 0x30FC;  // of both kana
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         c == kProlongedSound;
}

bool IsWordCharacter(char32_t c) {
  return (u_isalnum(static_cast<UChar32>(c)) && !IsIdeograph(c)) ||
         u_charType(static_cast<UChar32>(c)) == U_NON_SPACING_MARK;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// "1.299,99" and "1.000.000" in the English spelling; other words as they are.
std::string WithEnglishPoint(std::string_view word) {
  const size_t point = word.find('.');
  const size_t comma = word.find(',');
  const bool ends_in_decimals = comma != std::string_view::npos && point < comma &&
                                word.find(',', comma + 1) == std::string_view::npos;
  const bool only_groups = point != std::string_view::npos && comma == std::string_view::npos &&
                           word.find('.', point + 1) != std::string_view::npos;
  std::string text(word);
  if (ends_in_decimals || only_groups) {
    std::erase(text, '.');
    std::replace(text.begin(), text.end(), ',', '.');
  }
  return text;
}

/// Turns "1,299.50", "1.299,50", "300", "1.5k" into a plain decimal; empty when the word is no
/// number.
std::string ReadNumber(std::string_view original) {
  const std::string word = WithEnglishPoint(original);
  std::string digits;
  bool point = false;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (IsDigit(c)) {
      digits += c;
    } else if (c == ',' && word.size() - i > 3 && !digits.empty()) {
      continue;
    } else if ((c == '.' || c == ',') && !point && !digits.empty()) {
      digits += '.';
      point = true;
    } else if (c == 'k' && i + 1 == word.size() && !digits.empty()) {
      char* end = nullptr;
      return std::to_string(static_cast<long long>(std::strtod(digits.c_str(), &end) * 1000));
    } else {
      return {};
    }
  }
  while (!digits.empty() && digits.back() == '.') digits.pop_back();
  return digits;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view message) : message_(message) {}

  std::vector<QueryToken> Run() {
    while (position_ < message_.size()) Step();
    EndWord();
    return std::move(tokens_);
  }

 private:
  void Step() {
    const auto point = catalog::DecodeUtf8(message_.substr(position_));
    const size_t bytes = point.bytes == 0 ? 1 : point.bytes;
    if (point.bytes != 0 && (IsWordCharacter(point.value) || JoinsWord(point.value))) {
      if (word_begin_ == kNone) word_begin_ = position_;
    } else {
      EndWord();
      if (point.bytes != 0 && !u_isUWhiteSpace(static_cast<UChar32>(point.value))) {
        Add(KindOf(point.value), position_, position_ + bytes);
      }
    }
    position_ += bytes;
  }

  /// - ' . , _ between two word characters; . and , between digits only.
  bool JoinsWord(char32_t c) const {
    if (word_begin_ == kNone || position_ + 1 >= message_.size()) return false;
    const char next = message_[position_ + 1];
    if (c == '.' || c == ',') return IsDigit(message_[position_ - 1]) && IsDigit(next);
    const bool is_joint = c == '-' || c == '\'' || c == '_' || c == '&' || c == '/';
    if (c == '-' && IsDigit(message_[position_ - 1]) && IsDigit(next)) return false;  // a range
    const auto behind = catalog::DecodeUtf8(message_.substr(position_ + 1));
    return is_joint && behind.bytes != 0 && IsWordCharacter(behind.value);
  }

  static Kind KindOf(char32_t c) {
    if (u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL) return Kind::kCurrency;
    return IsIdeograph(c) ? Kind::kIdeograph : Kind::kPunctuation;
  }

  void Add(Kind kind, size_t begin, size_t end) {
    tokens_.push_back({kind, FoldForComparison(message_.substr(begin, end - begin)), begin, end});
  }

  void EndWord() {
    if (word_begin_ == kNone) return;
    Add(Kind::kWord, std::exchange(word_begin_, kNone), position_);
    QueryToken& token = tokens_.back();
    std::string number = IsDigit(token.text[0]) ? ReadNumber(token.text) : std::string();
    if (number.empty() || number.size() > 12) return;
    token.kind = Kind::kNumber;
    token.text = std::move(number);
  }

  static constexpr size_t kNone = static_cast<size_t>(-1);
  std::string_view message_;
  size_t position_ = 0;
  size_t word_begin_ = kNone;
  std::vector<QueryToken> tokens_;
};

/// Phones write "hasta 20 mas" and "uber": accents tell no words apart here.
bool IsSameWord(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto has_accent = [](std::string_view word) {
    return !word.empty() && std::any_of(word.begin(), word.end(), [](char c) {
      return static_cast<unsigned char>(c) >= 0xC3 && static_cast<unsigned char>(c) < 0xE0;
    });
  };
  return (has_accent(a) || has_accent(b)) && FoldWords(a) == FoldWords(b);
}

}  // namespace

std::vector<QueryToken> TokenizeQuery(std::string_view message) { return Tokenizer(message).Run(); }

bool MatchesAt(const std::vector<QueryToken>& tokens, size_t at,
               std::initializer_list<std::string_view> words) {
  if (at + words.size() > tokens.size()) return false;
  for (const std::string_view word : words) {
    if (tokens[at++].text != word) return false;
  }
  return true;
}

size_t PhraseLengthAt(const std::vector<QueryToken>& tokens, size_t at, std::string_view phrase) {
  size_t length = 0;
  while (!phrase.empty()) {
    const std::string_view word = phrase.substr(0, phrase.find(' '));
    if (at + length >= tokens.size() || !IsSameWord(tokens[at + length].text, word)) return 0;
    ++length;
    phrase.remove_prefix(std::min(word.size() + 1, phrase.size()));
  }
  return length;
}

bool HasPhrase(const std::vector<QueryToken>& tokens, std::string_view phrase) {
  for (size_t start = 0; start < tokens.size(); ++start) {
    if (PhraseLengthAt(tokens, start, phrase) != 0) return true;
  }
  return false;
}

bool HasAnyPhrase(const std::vector<QueryToken>& tokens,
                  std::initializer_list<std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return HasPhrase(tokens, phrase); });
}

}  // namespace emptor::retrieval
