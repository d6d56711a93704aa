// The files of data/lexicon: lines of phrases in five languages, and where phrases stand in a
// message.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// The phrases of one tag, folded: of "en | en ; de: Phrase | Phrase" the tags "" and "de".
struct LexiconGroup {
  std::string tag;
  std::vector<std::string> phrases;
};

/// "a | b ; de: c | d ; less: e": groups in the order of the text. Pure.
std::vector<LexiconGroup> ParsePhraseGroups(std::string_view text);

/// Every phrase of the groups, or of those with one of the tags.
std::vector<std::string> AllPhrases(const std::vector<LexiconGroup>& groups);

/// The first phrase of each tag as it is written: {"de", "Edelstahl"}.
std::map<std::string, std::string, std::less<>> FirstPhrases(std::string_view text);

/// Calls `line(head, rest)` for each line "head<separator>rest" that is no comment.
void ForEachLexiconLine(std::string_view text, std::string_view separator,
                        const std::function<void(std::string_view, std::string_view)>& line);

/// Phrases by the head of their lines; those of equal heads come together.
using PhraseTable = std::map<std::string, std::vector<std::string>, std::less<>>;
PhraseTable ParsePhraseTable(std::string_view text, std::string_view separator);

/// A message folded once, in which many phrases are looked for.
class FoldedMessage {
 public:
  explicit FoldedMessage(std::string_view message);

  /// From an already folded text.
  static FoldedMessage FromFolded(std::string folded);

  struct Span {
    size_t begin = std::string::npos, end = std::string::npos;  // bytes of text()
    bool found() const { return begin != std::string::npos; }
    size_t size() const { return end - begin; }
  };

  /// Where the folded phrase stands as whole words, a plural "s" allowed; "..." in it stands for up
  /// to three words. Chinese and Japanese phrases match anywhere.
  Span Find(std::string_view phrase) const;
  bool Has(std::string_view phrase) const { return Find(phrase).found(); }
  template <typename Phrases>
  bool HasAny(const Phrases& phrases) const {
    for (const auto& phrase : phrases) {
      if (Has(phrase)) return true;
    }
    return false;
  }
  /// The longest of the phrases that occurs.
  Span FindLongest(const std::vector<std::string>& phrases) const;

  /// The same message with the span struck out; other spans keep their places.
  FoldedMessage Without(const Span& span) const;

  /// Without the outer blanks.
  std::string_view text() const { return std::string_view(padded_).substr(1, padded_.size() - 2); }
  size_t word_count() const;

  /// Of the first two bytes of words, as numbers: nearly every phrase of a lexicon is refused by
  /// them.
  static constexpr size_t kBeginnings = 1024;
  /// REQUIRES: two bytes.
  static size_t Beginning(const char* bytes) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    const auto second = static_cast<unsigned char>(bytes[1]);
    return (first * 37u ^ second) % kBeginnings;
  }
  const std::bitset<kBeginnings>& beginnings() const { return beginnings_; }

 private:
  FoldedMessage() = default;
  void NoteBeginnings();
  Span FindPart(std::string_view part, size_t from) const;
  bool MayHold(std::string_view part) const {
    return part.size() < 2 || beginnings_.test(Beginning(part.data()));
  }

  std::string padded_;  // " which one is quiet "
  std::bitset<kBeginnings> beginnings_;
};

/// Calls `call(word)` for each word between blanks.
template <typename Call>
void ForEachWord(std::string_view text, const Call& call) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) call(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The words between blanks.
std::vector<std::string> SplitWords(std::string_view text);

/// The parts between the marks; nothing for an empty text. They point into it.
std::vector<std::string_view> SplitAt(std::string_view text, std::string_view mark);

/// Whether it is a word that FoldedMessage::Without has struck out: a row of "x".
inline bool IsStruckOut(std::string_view word) {
  return word.find_first_not_of('x') == std::string_view::npos;
}

/// True where the text begins with a letter of a script without blanks between words.
bool IsWideText(std::string_view text);

}  // namespace emptor::services
