// The lexicon, parsed once, and the words that are cut off a choice.
#include "services/assistant/reading/part_words.h"

#include <algorithm>
#include <functional>
#include <map>

#include "services/assistant/reading/typed_text.h"
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
  // "Rowenta it is".
  if (const size_t length = LengthAtEnd(words, front, words.size(), "decides")) {
    back = length < words.size() - front ? length : 0;
    chosen.chooses |= back > 0;
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
  if (front + back < words.size()) chosen.text = text.Between(front, words.size() - back);
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

size_t LengthAtEnd(const std::vector<std::string>& words, size_t begin, size_t end, View head) {
  for (const std::vector<std::string>& phrase : PhrasesOf(head).words) {
    const size_t length = phrase.size();
    if (length <= end - begin && StandsAt(words, end - length, phrase)) return length;
  }
  return 0;
}

bool NamesNothing(View text) {
  const std::vector<std::string> words = SplitWords(FoldedMessage(text).text());
  size_t at = 0;
  while (const size_t length = at < words.size() ? LengthAtStart(words, at, "pronouns") : 0) {
    at += length;
  }
  return at == words.size();
}

Chosen ChosenIn(View clause) {
  return IsWideText(clause) ? ChosenInWide(clause) : ChosenInWords(clause);
}

}  // namespace emptor::services
