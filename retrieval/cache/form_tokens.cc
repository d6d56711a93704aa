// A scanner over code points.
#include "retrieval/cache/form_tokens.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <utility>

#include "catalog/encoding/utf8.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/quantity.h"

namespace emptor::retrieval {
namespace {

bool IsIdeograph(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}
bool IsDigit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool IsLetter(char32_t c) {
  return (u_isalpha(static_cast<UChar32>(c)) && !IsIdeograph(c)) ||
         u_charType(static_cast<UChar32>(c)) == U_NON_SPACING_MARK;
}
bool IsApostrophe(char32_t c) { return c == U'\'' || c == 0x2019; }
bool IsQuestionMark(char32_t c) { return c == U'?' || c == 0xFF1F; }
bool EndsSentence(char32_t c) {
  constexpr char32_t kIdeographicStop = 0x3002, kWideExclamation = 0xFF01;
  return IsQuestionMark(c) || c == U'.' || c == U'!' || c == U'\n' || c == kIdeographicStop ||
         c == kWideExclamation;
}

bool EndsClause(char32_t c) {
  constexpr char32_t kWideComma = 0xFF0C, kEnDash = 0x2013, kEmDash = 0x2014;
  return c == U',' || c == U';' || c == U':' || c == kWideComma || c == kEnDash || c == kEmDash;
}

/// "HP" of "HP's".
std::string_view WithoutPossessive(std::string_view word) {
  for (const std::string_view ending : {"'s", "\xE2\x80\x99s"}) {
    if (word.size() > ending.size() && word.ends_with(ending)) {
      word.remove_suffix(ending.size());
    }
  }
  return word;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) {
    while (!text.empty()) {
      const auto point = catalog::DecodeUtf8(text);
      const size_t bytes = point.bytes == 0 ? 1 : point.bytes;
      if (point.bytes != 0) characters_.push_back({point.value, text.substr(0, bytes)});
      text.remove_prefix(bytes);
    }
  }

  FormTokens Run() {
    while (at_ < characters_.size()) Step();
    EndSentence(false);
    const bool any = std::find(asks_.begin(), asks_.end(), true) != asks_.end();
    if (!any) std::fill(asks_.begin(), asks_.end(), true);
    return {std::move(tokens_), std::move(asks_), any};
  }

 private:
  struct Character {
    char32_t value;
    std::string_view bytes;
  };

  char32_t Peek(size_t ahead = 0) const {
    return at_ + ahead < characters_.size() ? characters_[at_ + ahead].value : 0;
  }

  void Step() {
    const char32_t c = Peek();
    if (IsDigit(c)) {
      ReadNumber();
    } else if (IsIdeograph(c)) {
      Add(FormToken::Kind::kIdeograph, FoldWords(characters_[at_].bytes));
      ++at_;
    } else if (IsLetter(c)) {
      ReadWord();
    } else {
      const bool is_dash =
          c == U'-' && Peek(1) == U' ' && at_ > 0 && characters_[at_ - 1].value == U' ';
      if (EndsClause(c) || is_dash) ++clause_;
      const bool is_abbreviation = c == U'.' && Peek(1) != U' ' && Peek(1) != 0;
      if (EndsSentence(c) && !is_abbreviation) EndSentence(IsQuestionMark(c));
      ++at_;
    }
  }

  void ReadNumber() {
    std::string number;
    while (IsDigit(Peek()) || ((Peek() == U'.' || Peek() == U',') && IsDigit(Peek(1)))) {
      number += characters_[at_++].bytes;
    }
    // Minutes of a time of day that is a full hour.
    if (Peek() == U':' && Peek(1) == U'0' && Peek(2) == U'0') at_ += 3;
    Add(FormToken::Kind::kNumber, NormalizeNumber(number));
  }

  void ReadWord() {
    const bool capital = u_isupper(static_cast<UChar32>(Peek())) != 0;
    bool small = false;
    std::string word;
    while (IsLetter(Peek()) || (IsApostrophe(Peek()) && IsLetter(Peek(1)))) {
      small = small || u_islower(static_cast<UChar32>(Peek()));
      word += characters_[at_++].bytes;
    }
    const bool inside = in_sentence_;
    std::string folded = FoldWords(WithoutPossessive(word));
    if (folded.empty()) return;
    Add(FormToken::Kind::kWord, std::move(folded));
    tokens_.back().is_capital = capital && inside;
    tokens_.back().is_name_like = capital && inside && small;
  }

  void Add(FormToken::Kind kind, std::string text) {
    if (text.empty()) return;
    FormToken token;
    token.kind = kind;
    token.text = std::move(text);
    token.sentence = asks_.size();
    token.clause = clause_;
    tokens_.push_back(std::move(token));
    in_sentence_ = true;
  }

  void EndSentence(bool asks) {
    if (!in_sentence_) {
      if (asks && !asks_.empty()) asks_.back() = true;  // "?!" and "!?"
      if (asks_.empty() && at_ >= characters_.size()) asks_.push_back(true);
      return;
    }
    asks_.push_back(asks);
    in_sentence_ = false;
    ++clause_;
  }

  std::vector<Character> characters_;
  size_t at_ = 0;
  size_t clause_ = 0;
  bool in_sentence_ = false;  // a token of it was read
  std::vector<FormToken> tokens_;
  std::vector<bool> asks_;
};

}  // namespace

FormTokens TokenizeForm(std::string_view question) { return Scanner(question).Run(); }

}  // namespace emptor::retrieval
