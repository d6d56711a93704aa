// Lookup of values by phrase and by name.
#include "services/grounding/value_words.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/grounding/phrase_index.h"
#include "services/grounding/value_lexicon.h"

namespace emptor::services {
namespace {

struct LexiconValue {
  std::string canonical;
  std::map<std::string, std::vector<std::string>, std::less<>> phrases;  // folded, by language
  std::map<std::string, std::string, std::less<>> shown;                 // first one, as written
};

struct ValueLexicon {
  std::vector<LexiconValue> values;
  std::unordered_map<std::string, size_t> by_name;
  std::map<std::string, PhraseIndex, std::less<>> by_phrase;  // by language; ids: of values
};

const ValueLexicon& TheLexicon() {
  static const ValueLexicon* const lexicon = [] {
    auto parsed = std::make_unique<ValueLexicon>();
    ForEachLexiconLine(kValueLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      LexiconValue value{retrieval::FoldWords(head), {}, {}};
      value.phrases["en"].push_back(value.canonical);
      for (LexiconGroup& group : ParsePhraseGroups(rest)) {
        auto& target = value.phrases[group.tag.empty() ? "en" : group.tag];
        std::move(group.phrases.begin(), group.phrases.end(), std::back_inserter(target));
      }
      value.shown = FirstPhrases(rest);
      for (const auto& [language, phrases] : value.phrases) {
        PhraseIndex& index = parsed->by_phrase[language];
        for (const std::string& phrase : phrases) {
          if (!phrase.empty()) index.Add(phrase, static_cast<uint32_t>(parsed->values.size()));
        }
      }
      parsed->by_name.emplace(value.canonical, parsed->values.size());
      parsed->values.push_back(std::move(value));
    });
    return parsed.release();
  }();
  return *lexicon;
}

bool Overlap(const FoldedMessage::Span& a, const FoldedMessage::Span& b) {
  return a.begin < b.end && b.begin < a.end;
}

}  // namespace

std::vector<NamedValue> FindNamedValues(const FoldedMessage& message, std::string_view language) {
  std::map<uint32_t, FoldedMessage::Span> longest;  // by value
  for (const std::string_view each : {language, std::string_view("en")}) {
    const auto index = TheLexicon().by_phrase.find(each);
    if (index == TheLexicon().by_phrase.end()) continue;
    for (const PhraseIndex::Match& match : index->second.Find(message)) {
      const auto [known, is_first] = longest.emplace(match.id, match.span);
      if (!is_first && match.span.size() > known->second.size()) known->second = match.span;
    }
  }
  std::vector<NamedValue> found;
  for (const auto& [value, span] : longest) {
    found.push_back({TheLexicon().values[value].canonical, span});
  }
  std::stable_sort(found.begin(), found.end(), [](const NamedValue& a, const NamedValue& b) {
    return a.span.size() > b.span.size();
  });
  std::vector<NamedValue> kept;
  for (NamedValue& each : found) {
    const bool is_inside = std::any_of(kept.begin(), kept.end(), [&](const NamedValue& other) {
      return Overlap(each.span, other.span) && each.span.size() < other.span.size();
    });
    if (!is_inside) kept.push_back(std::move(each));
  }
  return kept;
}

const std::vector<std::string>& EnglishPhrasesOf(const std::string& canonical) {
  static const std::vector<std::string> kNone;
  const auto found = TheLexicon().by_name.find(canonical);
  if (found == TheLexicon().by_name.end()) return kNone;
  const auto& phrases = TheLexicon().values[found->second].phrases;
  const auto english = phrases.find("en");
  return english == phrases.end() ? kNone : english->second;
}

std::string TranslateValue(std::string_view value, std::string_view language) {
  std::string translated;
  while (!value.empty()) {
    const size_t end = std::min(value.find(','), value.size());
    const auto found = TheLexicon().by_name.find(retrieval::FoldWords(value.substr(0, end)));
    value.remove_prefix(std::min(end + 1, value.size()));
    if (found == TheLexicon().by_name.end()) return "";
    const auto& shown = TheLexicon().values[found->second].shown;
    const auto word = shown.find(language);
    if (word == shown.end() || word->second.empty()) return "";
    translated += (translated.empty() ? "" : ", ") + word->second;
  }
  return translated;
}

}  // namespace emptor::services
