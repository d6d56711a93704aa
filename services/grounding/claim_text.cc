// A scanner over code points.
#include "services/grounding/claim_text.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/quantity.h"

namespace emptor::services {
namespace {

using Kind = ClaimToken::Kind;
using View = std::string_view;

constexpr size_t kThousands = 3;  // digits of a group
constexpr View kProductPath = "/p/";

bool IsWide(UChar32 c) {
  return (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x3040 && c <= 0x30FF) ||
         (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF);
}
bool IsDigit(UChar32 c) { return c >= '0' && c <= '9'; }
bool IsApostrophe(UChar32 c) { return c == '\'' || c == 0x2019; }

bool HasDecimalComma(View language) {
  return language == "de" || language == "fr" || language == "es";
}

/// "1.234,5" of German is 1234.5, "1,7" is 1.7 in every language.
double NumberOf(std::string digits, View language) {
  if (HasDecimalComma(language)) {
    const size_t point = digits.find('.');
    const bool is_group = point != std::string::npos && digits.size() - point - 1 >= kThousands &&
                          (digits.find(',') != std::string::npos ||
                           digits.size() - digits.rfind('.') - 1 == kThousands);
    if (is_group) std::erase(digits, '.');
    if (std::count(digits.begin(), digits.end(), ',') == 1) {
      std::replace(digits.begin(), digits.end(), ',', '.');
    }
  }
  return std::strtod(retrieval::NormalizeNumber(digits).c_str(), nullptr);
}

/// French words of which an apostrophe cuts the first letters: "l'eau", "qu'il".
bool IsElided(View word) {
  constexpr std::array<View, 9> kWords = {"l", "d", "n", "s", "c", "j", "m", "t", "qu"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class Tokenizer {
 public:
  Tokenizer(View text, View language) : text_(text), language_(language) {}

  std::vector<ClaimToken> Run() {
    while (at_ < text_.size()) {
      const size_t begin = at_;
      const UChar32 c = Next();
      if (IsDigit(c)) {
        at_ = begin;
        ReadNumber();
      } else if (IsWide(c)) {
        Add(Kind::kWide, std::string(text_.substr(begin, at_ - begin)));
      } else if (u_isalpha(c) != 0) {
        at_ = begin;
        ReadWord();
      } else if (c == '[') {
        ReadBracket();
      } else if (IsInnerHyphen(c)) {
        continue;
      } else if (u_isUWhiteSpace(c) != 0 || c == '*' || c == '_' || c == '`') {
        is_apart_ = is_apart_ || u_isUWhiteSpace(c) != 0;
      } else {
        Add(Kind::kMark, std::string(text_.substr(begin, at_ - begin)));
      }
    }
    return std::move(tokens_);
  }

 private:
  UChar32 Next() {
    auto at = static_cast<int32_t>(at_);
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(text_.data(), at, static_cast<int32_t>(text_.size()), c);
    at_ = static_cast<size_t>(at);
    return c;
  }
  UChar32 Peek() {
    const size_t at = at_;
    const UChar32 c = at_ < text_.size() ? Next() : 0;
    at_ = at;
    return c;
  }

  /// Of "keep-warm" and "15.6-inch".
  bool IsInnerHyphen(UChar32 c) {
    return (c == '-' || c == 0x2010 || c == 0x2011) && !is_apart_ && !tokens_.empty() &&
           u_isalnum(Peek()) != 0;
  }

  ClaimToken& Add(Kind kind, std::string text) {
    ClaimToken token;
    token.kind = kind;
    token.text = std::move(text);
    token.is_glued = !is_apart_ && !tokens_.empty();
    is_apart_ = false;
    tokens_.push_back(std::move(token));
    return tokens_.back();
  }

  /// "1,299.50", "1 299" of French; "2nd" and "802.11ac" are words.
  void ReadNumber() {
    const size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool is_point = (c == '.' || c == ',') && at_ + 1 < text_.size() &&
                            IsDigit(static_cast<unsigned char>(text_[at_ + 1]));
      if (IsFrenchGroup(begin)) {
        at_ += text_.substr(at_).find_first_of("0123456789");
        continue;
      }
      if (!IsDigit(static_cast<unsigned char>(c)) && !is_point) break;
      ++at_;
    }
    const double value = NumberOf(WithoutBlanks(text_.substr(begin, at_ - begin)), language_);
    Add(Kind::kNumber, fmt::format("{:.10g}", value)).number = value;
  }

  /// "1 099": a blank before three digits.
  bool IsFrenchGroup(size_t begin) const {
    if (language_ != "fr" || at_ - begin > kThousands) return false;
    View rest = text_.substr(at_);
    const View blank = rest.starts_with(" ")        ? " "
                       : rest.starts_with("\u202F") ? "\u202F"
                                                    : "\u00A0";
    if (!rest.starts_with(blank)) return false;
    rest.remove_prefix(blank.size());
    const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    return digits == kThousands;
  }
  static std::string WithoutBlanks(View text) {
    std::string digits;
    for (const char c : text) {
      if (IsDigit(static_cast<unsigned char>(c)) || c == '.' || c == ',') digits += c;
    }
    return digits;
  }

  void ReadWord() {
    const size_t begin = at_;
    size_t end = at_;
    while (at_ < text_.size()) {
      end = at_;
      const UChar32 c = Next();
      const bool is_joint = IsApostrophe(c) && u_isalpha(Peek()) != 0;
      const bool is_mark = u_charType(c) == U_NON_SPACING_MARK;
      if ((u_isalpha(c) != 0 && !IsWide(c)) || IsDigit(c) || is_mark) {
        end = at_;
      } else if (is_joint && language_ == "fr" && IsElided(Fold(begin, end))) {
        break;
      } else if (!is_joint) {
        break;
      } else if (IsPossessive()) {
        AddWord(begin, end);
        Next();
        return;
      }
    }
    if (at_ >= text_.size() && end < begin + 1) end = at_;
    AddWord(begin, end);
    at_ = std::max(end, begin + 1);
    if (IsApostrophe(Peek())) Next();
  }

  /// The "s" of "kettle's" with nothing behind it.
  bool IsPossessive() {
    const size_t at = at_;
    const bool is_s = Next() == 's' && language_ == "en" && u_isalpha(Peek()) == 0;
    const View word = text_.substr(0, at);
    at_ = at;
    return is_s && !word.ends_with("it'") && !word.ends_with("It'");
  }

  std::string Fold(size_t begin, size_t end) const {
    return retrieval::FoldWords(text_.substr(begin, end - begin));
  }

  void AddWord(size_t begin, size_t end) {
    size_t at = begin;
    std::swap(at, at_);
    const bool is_capital = u_isupper(Peek()) != 0;
    std::swap(at, at_);
    std::string folded = Fold(begin, end);
    std::erase(folded, ' ');
    if (folded.empty()) return;
    auto& word = Add(Kind::kWord, folded);
    word.is_capitalized = is_capital;
  }

  /// "[2]", or "[label](/p/id)".
  void ReadBracket() {
    const size_t close = text_.find(']', at_);
    if (close == View::npos) return;
    const View inner = text_.substr(at_, close - at_);
    const bool is_source =
        !inner.empty() && inner.size() < 4 && inner.find_first_not_of("0123456789") == View::npos;
    if (is_source) {
      Add(Kind::kSource, std::string(inner)).number = std::atoi(std::string(inner).c_str());
      at_ = close + 1;
      return;
    }
    if (!text_.substr(close + 1).starts_with("(")) return;
    const size_t end = text_.find(')', close);
    if (end == View::npos) return;
    const View target = text_.substr(close + 2, end - close - 2);
    const size_t path = target.rfind(kProductPath);
    if (path == View::npos) return;
    Add(Kind::kLink, std::string(target.substr(path + kProductPath.size())));
    at_ = end + 1;
  }

  View text_, language_;
  size_t at_ = 0;
  bool is_apart_ = false;
  std::vector<ClaimToken> tokens_;
};

}  // namespace

std::vector<ClaimToken> TokenizeClaims(std::string_view text, std::string_view language) {
  return Tokenizer(text, language).Run();
}

std::vector<std::string> ClaimWordsOf(std::string_view text, std::string_view language) {
  std::vector<std::string> words;
  for (ClaimToken& token : TokenizeClaims(text, language)) {
    const bool is_word =
        token.kind == Kind::kWord || token.kind == Kind::kNumber || token.kind == Kind::kWide;
    if (is_word) words.push_back(std::move(token.text));
  }
  return words;
}

bool SameClaimWord(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.size() < b.size()) std::swap(a, b);
  return b.size() > 2 && a.size() == b.size() + 1 && a.back() == 's' && a.starts_with(b);
}

}  // namespace emptor::services
