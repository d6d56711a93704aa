// Votes of words for languages.
#include "services/assistant/words/message_language.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "retrieval/text/fold.h"
#include "services/assistant/words/lexicons.h"
#include "services/grounding/attribute_lexicon.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/relaxation_text.h"
#include "services/grounding/type_lexicon.h"
#include "services/grounding/value_lexicon.h"

namespace emptor::services {
namespace {

constexpr std::array<std::string_view, 4> kLanguages = {"en", "de", "fr", "es"};
constexpr int kFunctionWord = 3;  // votes; a word of the lexicon has one
constexpr int kConversation = 3;

constexpr std::string_view kElided = "cdjlmnst";

using Votes = std::array<int, 4>;

struct LanguageWords {
  std::unordered_map<std::string, unsigned> of_lexicon;  // word -> languages, a bit each
  std::unordered_map<std::string, unsigned> function_words;
  std::unordered_set<std::string> names;  // of makers, which say nothing of a language
};

void AddLexicon(std::string_view lexicon, std::string_view separator, LanguageWords& words) {
  ForEachLexiconLine(lexicon, separator, [&](std::string_view, std::string_view rest) {
    for (const LexiconGroup& group : ParsePhraseGroups(rest)) {
      const auto* found = std::find(kLanguages.begin(), kLanguages.end(), group.tag);
      const auto at = found == kLanguages.end() ? 0 : found - kLanguages.begin();
      if (group.tag == "less" || group.tag == "more" || group.tag == "zh") continue;
      for (const std::string& phrase : group.phrases) {
        ForEachWord(phrase, [&](std::string word) {
          if (word.size() > 2) words.of_lexicon[std::move(word)] |= 1u << at;
        });
      }
    }
  });
}

const LanguageWords& TheWords() {
  static const LanguageWords* const words = [] {
    auto made = std::make_unique<LanguageWords>();
    ForEachLexiconLine(kLanguageLexicon, ": ", [&](std::string_view name, std::string_view rest) {
      const auto at = std::find(kLanguages.begin(), kLanguages.end(), name) - kLanguages.begin();
      const bool are_names = name == "none";
      ForEachWord(rest, [&](std::string word) {
        if (are_names) {
          made->names.insert(std::move(word));
        } else {
          made->function_words[std::move(word)] |= 1u << at;
        }
      });
    });
    AddLexicon(kTypeLexicon, ":", *made);
    // The names of types are English: "presenter", which is German as well.
    ForEachLexiconLine(kTypeLexicon, ":", [&](std::string_view name, std::string_view) {
      ForEachWord(FoldedMessage(name).text(), [&](const std::string& word) {
        if (word.size() > 2) made->of_lexicon[word] |= 1u;
      });
    });
    AddLexicon(kValueLexicon, " : ", *made);
    AddLexicon(kAttributeLexicon, " : ", *made);
    AddLexicon(kPolicyLexicon, " : ", *made);
    AddLexicon(kContrastLexicon, " : ", *made);
    return made.release();
  }();
  return *words;
}

constexpr size_t kMinCompound = 8, kMinLastPart = 5;  // letters

/// The languages of a word of the lexicons; of a compound that none lists ("farblaserdrucker"),
/// German, where its last part is German and nothing else.
unsigned LanguagesOf(const std::string& word) {
  const auto& known = TheWords().of_lexicon;
  if (const auto found = known.find(word); found != known.end()) return found->second;
  constexpr unsigned kGerman = 1u << 1;
  for (size_t at = 3; word.size() >= kMinCompound && at + kMinLastPart <= word.size(); ++at) {
    const auto last = known.find(word.substr(at));
    if (last != known.end() && last->second == kGerman) return kGerman;
  }
  return 0;
}

/// A word of several languages votes for none.
void Vote(unsigned languages, int votes, Votes& sums) {
  for (size_t i = 0; i < kLanguages.size(); ++i) {
    if (languages == 1u << i) sums[i] += votes;
  }
}

/// Letters and marks that one of the languages has alone: "größer", "¿cuál?", "pequeño".
void VoteOfLetters(std::string_view message, Votes& sums) {
  constexpr size_t kGerman = 1, kSpanish = 3;
  const auto has = [&](std::string_view letter) {
    return message.find(letter) != std::string_view::npos;
  };
  if (has("ß")) sums[kGerman] += kFunctionWord;
  if (has("¿") || has("¡") || has("ñ")) sums[kSpanish] += kFunctionWord;
}

/// "J'ai besoin d'un" has the words of "j ai besoin d un".
std::string WithPartedElisions(std::string_view message) {
  std::string parted(message);
  for (size_t at = parted.find('\''); at != std::string::npos; at = parted.find('\'', at + 1)) {
    const size_t blank = parted.find_last_of(" ,;(-'", at == 0 ? 0 : at - 1);
    const size_t begin = blank == std::string::npos ? 0 : blank + 1;
    const std::string word =
        retrieval::FoldWords(std::string_view(parted).substr(begin, at - begin));
    const bool elides = (word.size() == 1 && kElided.find(word[0]) != kElided.npos) || word == "qu";
    if (elides) parted[at] = ' ';
  }
  return parted;
}

}  // namespace

bool IsSmallWord(const std::string& word) { return TheWords().function_words.contains(word); }

bool IsLexiconWord(const std::string& word) {
  return IsSmallWord(word) || TheWords().of_lexicon.contains(word);
}

const std::unordered_set<std::string>& EnglishLexiconWords() {
  constexpr size_t kMinLetters = 4;
  static const auto* const words = [] {
    auto made = std::make_unique<std::unordered_set<std::string>>();
    for (const auto& [word, languages] : TheWords().of_lexicon) {
      if ((languages & 1u) != 0 && word.size() >= kMinLetters) made->insert(word);
    }
    return made.release();
  }();
  return *words;
}

std::string LanguageOfMessage(std::string_view message, std::string_view before) {
  const std::string_view script = DetectedLanguage(message);
  if (script == "zh" || script == "ja") return std::string(script);
  Votes sums = {};
  const auto* const spoken = std::find(kLanguages.begin(), kLanguages.end(), before);
  if (spoken != kLanguages.end()) {
    sums[static_cast<size_t>(spoken - kLanguages.begin())] += kConversation;
  }
  VoteOfLetters(message, sums);
  bool has_function_word = false;
  Votes covered = {};  // words of the lexicons that a language has
  ForEachWord(retrieval::FoldWords(WithPartedElisions(message)), [&](const std::string& word) {
    const auto small = TheWords().function_words.find(word);
    if (small != TheWords().function_words.end()) {
      // "USB C" and "2 l" are no French: one letter says little alone.
      const bool is_letter = word.size() == 1;
      Vote(small->second, is_letter ? 1 : kFunctionWord, sums);
      has_function_word = has_function_word || !is_letter;
      return;
    }
    if (TheWords().names.contains(word)) return;
    const unsigned languages = LanguagesOf(word);
    Vote(languages, 1, sums);
    for (size_t i = 0; i < kLanguages.size(); ++i) covered[i] += (languages >> i & 1u) != 0 ? 1 : 0;
  });
  const auto* best = std::max_element(sums.begin(), sums.end());
  // "1000 piece puzzles" has a German plural, and English words beside it; "imprimante laser
  // couleur" has more words of French than of English.
  const int of_best = covered[static_cast<size_t>(best - sums.begin())];
  const bool may_be_english = !has_function_word && covered[0] > 0 && covered[0] >= of_best &&
                              before.empty() && best != sums.begin();
  if (may_be_english) return script.empty() ? "en" : std::string(script);
  // "Canon digital camera": words that several languages have, and English has all of them.
  const bool is_shared = *best == 0 && before.empty() && covered[0] > 0 &&
                         covered[0] == *std::max_element(covered.begin(), covered.end());
  if (is_shared) return "en";
  const bool is_clear = *best > 0 && std::count(sums.begin(), sums.end(), *best) == 1;
  if (is_clear) return std::string(kLanguages[static_cast<size_t>(best - sums.begin())]);
  return std::string(before.empty() ? script : before);
}

}  // namespace emptor::services
