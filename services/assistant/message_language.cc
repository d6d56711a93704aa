// Votes of words for languages.
#include "services/assistant/message_language.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "retrieval/text/fold.h"
#include "services/assistant/cue_lexicon.h"
#include "services/assistant/policy_lexicon.h"
#include "services/grounding/attribute_lexicon.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/relaxation_text.h"
#include "services/grounding/type_lexicon.h"
#include "services/grounding/value_lexicon.h"

namespace emptor::services {
namespace {

constexpr std::array<std::string_view, 4> kLanguages = {"en", "de", "fr", "es"};
constexpr int kFunctionWord = 3;  // votes; a word of the lexicon has one

/// Small words that are of one of these languages only.
constexpr std::array<std::string_view, 4> kFunctionWords = {
    "the is are do does did you i it what which how much many my your for with of and or to have "
    "has im between than then "
    "can could would should this that these those any some from not need want looking one ones its "
    "there they them their we im u ur whats thats dont doesnt isnt ok please thanks show me too "
    "only "
    "cheaper cheapest than if but about when where who why will was be at by got get good best",
    "der das den dem ein eine einen einem einer ich sie wir ihr ist sind hat haben habe wie welche "
    "welcher welches und oder mit ohne fur von zum zur bei auf aus nicht kein keine auch noch nur "
    "mir "
    "mich ihn es gibt kann koennen konnen kosten kostet suche brauche bitte gut unter uber als "
    "wenn "
    "dass wo wann warum mein meine dieser dieses diese davon denen lieber etwas im am vom beim ja "
    "nein",
    "le les un une des du je vous nous il elle ils elles est sont avez avoir pour avec sans dans "
    "sur et "
    "ou quel quelle quels quelles lequel laquelle combien cherche moins plus tres pas ne ce cette "
    "ces "
    "mon ma mes votre vos au aux qui que quoi ca cela fait faut peut bonjour merci oui non aussi d "
    "l j qu c",
    "el los las un una unos unas yo usted tiene tienen es son esta este esa ese para con sin por y "
    "o "
    "que cual cuales cuanto cuanta cuantos cuantas busco quiero necesito hay menos mas muy no se "
    "lo mi su del al de "
    "como donde cuando tambien algo alguno alguna gracias hola si pero mejor puede cuesta precio"};

using Votes = std::array<int, 4>;

struct LanguageWords {
  std::unordered_map<std::string, unsigned> of_lexicon;  // word -> languages, a bit each
  std::unordered_map<std::string, unsigned> function_words;
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
    for (size_t i = 0; i < kLanguages.size(); ++i) {
      ForEachWord(kFunctionWords[i],
                  [&](std::string word) { made->function_words[std::move(word)] |= 1u << i; });
    }
    AddLexicon(kTypeLexicon, ":", *made);
    AddLexicon(kValueLexicon, " : ", *made);
    AddLexicon(kAttributeLexicon, " : ", *made);
    AddLexicon(kPolicyLexicon, " : ", *made);
    return made.release();
  }();
  return *words;
}

/// A word of several languages votes for none.
void Vote(unsigned languages, int votes, Votes& sums) {
  for (size_t i = 0; i < kLanguages.size(); ++i) {
    if (languages == 1u << i) sums[i] += votes;
  }
}

}  // namespace

bool IsSmallWord(const std::string& word) { return TheWords().function_words.contains(word); }

std::string LanguageOfMessage(std::string_view message) {
  const std::string_view script = DetectedLanguage(message);
  if (script == "zh" || script == "ja") return std::string(script);
  Votes sums = {};
  bool has_function_word = false, has_english = false;
  ForEachWord(retrieval::FoldWords(message), [&](const std::string& word) {
    const auto small = TheWords().function_words.find(word);
    if (small != TheWords().function_words.end()) {
      Vote(small->second, kFunctionWord, sums);
      has_function_word = true;
      return;
    }
    const auto known = TheWords().of_lexicon.find(word);
    if (known == TheWords().of_lexicon.end()) return;
    Vote(known->second, 1, sums);
    has_english = has_english || (known->second & 1u) != 0;
  });
  const auto* best = std::max_element(sums.begin(), sums.end());
  // "1000 piece puzzles" has a German plural, and English words beside it.
  const bool may_be_english = !has_function_word && has_english && best != sums.begin();
  if (may_be_english) return script.empty() ? "en" : std::string(script);
  const bool is_clear = *best > 0 && std::count(sums.begin(), sums.end(), *best) == 1;
  return is_clear ? std::string(kLanguages[static_cast<size_t>(best - sums.begin())])
                  : std::string(script);
}

}  // namespace emptor::services
