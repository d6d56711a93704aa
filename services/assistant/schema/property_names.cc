// An index of the phrases by their first stem.
#include "services/assistant/schema/property_names.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/schema/record_words.h"
#include "services/grounding/attribute_lexicon.h"

namespace emptor::services {
namespace {

struct Phrase {
  std::vector<std::string> stems;
  uint32_t property = 0;
};
using PhraseIndex = std::unordered_map<std::string, std::vector<Phrase>>;

std::vector<std::string> StemsIn(const FoldedMessage& text) {
  std::vector<std::string> stems;
  ForEachWord(text.text(), [&](const std::string& word) { stems.push_back(StemOf(word)); });
  return stems;
}

void AddPhrase(const std::string& phrase, uint32_t property, PhraseIndex& index) {
  std::vector<std::string> stems = StemsIn(FoldedMessage::FromFolded(phrase));
  if (stems.empty()) return;
  std::string first = stems.front();
  index[std::move(first)].push_back({std::move(stems), property});
}

const PhraseIndex& TheIndex() {
  static const PhraseIndex* const index = [] {
    auto made = std::make_unique<PhraseIndex>();
    uint32_t property = 0;
    ForEachLexiconLine(kAttributeLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      for (std::string_view text : {head, rest}) {
        for (const LexiconGroup& group : ParsePhraseGroups(text)) {
          if (group.tag.size() > 2) continue;
          for (const std::string& phrase : group.phrases) AddPhrase(phrase, property, *made);
        }
      }
      ++property;
    });
    return made.release();
  }();
  return *index;
}

/// Calls `call(phrase, at)` for each phrase that begins with the stem at that place.
template <typename Call>
void ForEachPhraseIn(const std::vector<std::string>& stems, const Call& call) {
  for (size_t at = 0; at < stems.size(); ++at) {
    const auto phrases = TheIndex().find(stems[at]);
    if (phrases == TheIndex().end()) continue;
    for (const Phrase& phrase : phrases->second) {
      const size_t size = phrase.stems.size();
      if (at + size > stems.size()) continue;
      if (std::equal(phrase.stems.begin(), phrase.stems.end(),
                     stems.begin() + static_cast<std::ptrdiff_t>(at))) {
        call(phrase, at);
      }
    }
  }
}

}  // namespace

std::vector<uint32_t> PropertiesIn(const FoldedMessage& text) {
  std::vector<uint32_t> found;
  ForEachPhraseIn(StemsIn(text),
                  [&](const Phrase& phrase, size_t) { found.push_back(phrase.property); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::string> LongPropertyPhrasesIn(const FoldedMessage& text) {
  const std::vector<std::string> stems = StemsIn(text);
  std::vector<std::pair<size_t, size_t>> spans;
  ForEachPhraseIn(stems, [&](const Phrase& phrase, size_t at) {
    if (phrase.stems.size() > 1) spans.emplace_back(at, at + phrase.stems.size());
  });
  std::vector<std::string> found;
  for (const auto& [begin, end] : spans) {
    const bool is_part = std::any_of(spans.begin(), spans.end(), [&, b = begin, e = end](auto& o) {
      return o.first <= b && e <= o.second && o.second - o.first > e - b;
    });
    if (is_part) continue;
    std::string phrase;
    for (size_t i = begin; i < end; ++i) phrase += (i == begin ? "" : " ") + stems[i];
    if (std::find(found.begin(), found.end(), phrase) == found.end()) found.push_back(phrase);
  }
  return found;
}

}  // namespace emptor::services
