// Stems by language, and the splitting of German compounds at the catalog's own words.
#include "retrieval/words/word_families.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "retrieval/text/english.h"
#include "retrieval/text/stemmer.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMinStemmedLetters = 3;
constexpr size_t kMinHeadLetters = 4;
constexpr size_t kMinModifierLetters = 3;
// What stands between the parts of a German compound.
constexpr std::array<std::string_view, 6> kLinks = {"s", "es", "n", "en", "er", "e"};

uint64_t Hash(std::string_view text) { return std::hash<std::string_view>()(text); }

}  // namespace

WordFamilies::WordFamilies(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  for (const Language language : vocabulary.languages()) AddStems(language);
  if (stems_.contains(Language::kGerman)) AddCompounds();
}

void WordFamilies::AddStems(Language language) {
  const Stemmer stemmer(language);
  std::vector<Entry>& entries = stems_[language];
  for (size_t i = 0; i < vocabulary_.size(); ++i) {
    const auto word = static_cast<WordId>(i);
    const std::string& text = vocabulary_.text(word);
    if (text.size() < kMinStemmedLetters || !IsPlainWord(text)) continue;
    if (vocabulary_.IsIn(language, word)) entries.emplace_back(Hash(stemmer.Stem(text)), word);
  }
  std::sort(entries.begin(), entries.end());
}

std::vector<WordId> WordFamilies::WithSameStem(Language language, std::string_view word) const {
  std::vector<WordId> words;
  const auto entries = stems_.find(language);
  if (entries == stems_.end() || word.size() < kMinStemmedLetters || !IsPlainWord(word))
    return words;
  const uint64_t stem = Hash(Stemmer(language).Stem(word));
  for (auto at =
           std::lower_bound(entries->second.begin(), entries->second.end(), Entry{stem, WordId{0}});
       at != entries->second.end() && at->first == stem; ++at) {
    if (vocabulary_.text(at->second) != word) words.push_back(at->second);
  }
  return words;
}

/// "wasser", "arbeits" (Arbeitszimmer), "kuchen" (Kuchenmaschine).
bool WordFamilies::IsModifier(std::string_view begin) const {
  if (begin.size() < kMinModifierLetters) return false;
  if (vocabulary_.Find(begin)) return true;
  return std::any_of(kLinks.begin(), kLinks.end(), [&](std::string_view link) {
    return begin.ends_with(link) && begin.size() - link.size() >= kMinModifierLetters &&
           vocabulary_.Find(begin.substr(0, begin.size() - link.size()));
  });
}

std::vector<WordId> WordFamilies::HeadsOf(std::string_view compound) const {
  std::vector<WordId> heads;
  if (!stems_.contains(Language::kGerman) || !IsPlainWord(compound)) return heads;
  std::string_view left = compound;  // what of the compound is still to be split
  for (size_t at = kMinModifierLetters; at + kMinHeadLetters <= compound.size(); ++at) {
    const std::string_view head = compound.substr(at);
    const auto word = vocabulary_.Find(head);
    if (!word || !vocabulary_.IsIn(Language::kGerman, *word)) continue;
    if (!IsModifier(left.substr(0, left.size() - head.size()))) continue;
    heads.push_back(*word);
    left = head;
  }
  return heads;
}

void WordFamilies::AddCompounds() {
  for (size_t i = 0; i < vocabulary_.size(); ++i) {
    const auto word = static_cast<WordId>(i);
    if (!vocabulary_.IsIn(Language::kGerman, word)) continue;
    for (const WordId head : HeadsOf(vocabulary_.text(word))) {
      compounds_.emplace_back(Hash(vocabulary_.text(head)), word);
    }
  }
  std::sort(compounds_.begin(), compounds_.end());
}

std::vector<WordId> WordFamilies::CompoundsOf(std::string_view head, size_t limit) const {
  std::vector<WordId> words;
  const uint64_t hash = Hash(head);
  for (auto at = std::lower_bound(compounds_.begin(), compounds_.end(), Entry{hash, WordId{0}});
       at != compounds_.end() && at->first == hash; ++at) {
    words.push_back(at->second);
  }
  std::stable_sort(words.begin(), words.end(), [this](WordId a, WordId b) {
    return vocabulary_.record_count(a) > vocabulary_.record_count(b);
  });
  if (words.size() > limit) words.resize(limit);
  return words;
}

}  // namespace emptor::retrieval
