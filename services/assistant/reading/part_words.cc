// The lexicon, parsed once, and the words that are cut off a choice.
#include "services/assistant/reading/part_words.h"

#include <algorithm>
#include <functional>
#include <map>

#include "services/assistant/words/lexicons.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

using View = std::string_view;

namespace {

/// The phrases of one head, and the words of each.
struct Phrases {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> words;
};

const Phrases& PhrasesOf(View head) {
  static const auto* const table = [] {
    auto* made = new std::map<std::string, Phrases, std::less<>>;
    for (auto& [name, texts] : ParsePhraseTable(kPartLexicon, ": ")) {
      Phrases& phrases = (*made)[name];
      phrases.texts = texts;
      std::sort(phrases.texts.begin(), phrases.texts.end(),
                [](const auto& a, const auto& b) { return a.size() > b.size(); });
      for (const std::string& each : phrases.texts) phrases.words.push_back(SplitWords(each));
    }
    return made;
  }();
  return table->find(head)->second;
}

bool StandsAt(const std::vector<std::string>& words, size_t from,
              const std::vector<std::string>& phrase) {
  return from + phrase.size() <= words.size() &&
         std::equal(phrase.begin(), phrase.end(),
                    words.begin() + static_cast<std::ptrdiff_t>(from));
}

/// A word of the message as it was typed, and its folded words ("i'll" has two).
struct TypedWord {
  View typed;
  size_t folded = 0;
};

/// The message between two places among its folded words.
class TypedText {
 public:
  explicit TypedText(View text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      const View typed = text.substr(at, end - at);
      std::vector<std::string> folded = SplitWords(FoldedMessage(typed).text());
      typed_.push_back({typed, folded.size()});
      for (std::string& word : folded) words_.push_back(std::move(word));
      at = std::min(text.find_first_not_of(' ', end), text.size());
    }
  }
  const std::vector<std::string>& words() const { return words_; }

  /// Without `front` and `back` folded words.
  std::string Without(size_t front, size_t back) const {
    std::string text;
    size_t at = 0;
    for (const TypedWord& each : typed_) {
      const bool is_in = at >= front && at + each.folded <= words_.size() - back;
      if (is_in && each.folded > 0) text.append(text.empty() ? "" : " ").append(each.typed);
      at += each.folded;
    }
    while (!text.empty() && View(".,;:!-").find(text.back()) != View::npos) text.pop_back();
    return text;
  }

 private:
  std::vector<TypedWord> typed_;
  std::vector<std::string> words_;
};

Chosen ChosenInWords(View clause) {
  const TypedText text(clause);
  const std::vector<std::string>& words = text.words();
  Chosen chosen;
  size_t front = 0, back = 0;
  for (size_t length = 1; length > 0; front += length) {
    length = LengthAtStart(words, front, "accepts");
    chosen.accepts |= length > 0;
    if (length == 0) length = LengthAtStart(words, front, "fills");
    chosen.fills |= length > 0;
  }
  if (const size_t length = LengthAtStart(words, front, "chooses")) {
    front += length;
    chosen.chooses = true;
  }
  for (bool again = true; again;) {
    again = false;
    for (const std::vector<std::string>& phrase : PhrasesOf("closes").words) {
      const size_t length = phrase.size();
      if (front + back + length >= words.size() + (chosen.chooses ? 0 : 1)) continue;
      if (!StandsAt(words, words.size() - back - length, phrase)) continue;
      back += length;
      chosen.closes = again = true;
      break;
    }
  }
  if (front + back < words.size()) chosen.text = text.Without(front, back);
  return chosen;
}

/// "就要666的", "那就深蓝色的吧".
Chosen ChosenInWide(View clause) {
  const auto cut = [&](View head, bool is_end) {
    bool has = false;
    for (bool again = true; again;) {
      again = false;
      for (const std::string& phrase : PartPhrases(head)) {
        const bool fits = is_end ? clause.ends_with(phrase) : clause.starts_with(phrase);
        if (!IsWideText(phrase) || !fits || clause.size() == phrase.size()) continue;
        is_end ? clause.remove_suffix(phrase.size()) : clause.remove_prefix(phrase.size());
        has = again = true;
        break;
      }
    }
    return has;
  };
  Chosen chosen;
  chosen.accepts = cut("accepts", false);
  chosen.fills = cut("fills", false) || chosen.accepts;
  chosen.chooses = cut("chooses", false);
  chosen.closes = cut("closes", true);
  chosen.text = clause;
  return chosen;
}

}  // namespace

const std::vector<std::string>& PartPhrases(View head) { return PhrasesOf(head).texts; }

size_t LengthAtStart(const std::vector<std::string>& words, size_t from, View head) {
  for (const std::vector<std::string>& phrase : PhrasesOf(head).words) {
    if (StandsAt(words, from, phrase)) return phrase.size();
  }
  return 0;
}

Chosen ChosenIn(View clause) {
  return IsWideText(clause) ? ChosenInWide(clause) : ChosenInWords(clause);
}

}  // namespace emptor::services
