// Cuts a model's text, as it streams, into spans for the hydrator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// A reference of the model: `[2]`, `[2:price]`, `[2:attr.capacity]`, `[q:budget]`.
struct Reference {
  int source = 0;         // n from 1; 0 for `q`
  std::string field;      // empty: a citation; "price", "attr", "budget", ...
  std::string attribute;  // key after "attr."
};

/// Why a part of the model's text is dropped.
enum class DropRule {
  kNone,
  kMoney,
  kStock,
  kRating,
  kNumber,
  kName,
  kReference,
  kLink,
  kMarkup,
};
inline constexpr int kDropRules = 9;
std::string_view ToString(DropRule rule);

enum class SpanKind {
  kWord,         // letters, with inner - ' . _ &
  kNumber,       // a word that holds a digit
  kIdeograph,    // one Han, Hiragana or Katakana character
  kSpace,        // one blank
  kNewline,      //
  kBullet,       // "- " or "1. " at the beginning of a line; text is what is shown
  kTerminal,     // . ! ? and their CJK forms
  kPunctuation,  // any other single character
  kCurrency,     // a currency sign
  kStar,         // a rating sign
  kReference,    // text is empty, reference is set
  kDropped,      // text is empty, rule is set
};

struct Span {
  SpanKind kind = SpanKind::kWord;
  std::string text;  // as it would be shown
  Reference reference;
  DropRule rule = DropRule::kNone;
};

/// Takes UTF-8 text in pieces; returns spans as soon as their end is known. The spans depend on the
/// text alone, not on how it was cut into pieces.
/// Digits, currency signs and Latin letters in any compatibility form become plain ones. Control,
/// format and unassigned characters are dropped, as are [ ] < > * ` # and backslash.
class AnswerLexer {
 public:
  std::vector<Span> Push(std::string_view text);
  /// The end of the text. Returns what was held as spans.
  std::vector<Span> Finish();

 private:
  enum class State {
    kText,
    kWord,
    kJoint,
    kReference,
    kAngle,
    kTag,
    kAddress,
    kLineMark,
    kLineNumber
  };

  void Feed(char32_t c);
  void FeedPlain(char32_t c);
  void InText(char32_t c);
  void InWord(char32_t c);
  void InJoint(char32_t c);
  void InReference(char32_t c);
  void InTag(char32_t c);
  void InLineMark(char32_t c);
  void InLineNumber(char32_t c);
  void EndWord();
  void Emit(SpanKind kind, std::string text);
  void Drop(DropRule rule);
  bool EmitReferences();
  void EmitReference(const Reference& reference);

  State state_ = State::kText;
  std::string held_;       // the unfinished word, reference or tag
  char32_t joint_ = 0;     // a character that may join two halves of a word
  char32_t previous_ = 0;  // last character returned as punctuation
  bool line_start_ = true;
  std::string partial_;  // an unfinished UTF-8 character
  std::vector<Span> spans_;
};

}  // namespace emptor::services
