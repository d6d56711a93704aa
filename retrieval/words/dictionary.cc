// Putting the parts together, and completing a last word in its company.
#include "retrieval/words/dictionary.h"

#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/words/phrases.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kLastWords = 64;  // most common candidates, checked for co-occurrence

Vocabulary MakeVocabulary(const DictionarySource& source) {
  std::vector<RecordWords> records;
  records.reserve(source.records.size());
  for (const DictionaryRecord& record : source.records) records.push_back(record.words);
  return Vocabulary(source.words, records);
}

bool Proposes(const std::vector<Completion>& completions, const std::string& key) {
  return std::any_of(completions.begin(), completions.end(), [&](const Completion& completion) {
    return FoldWords(completion.text) == key;
  });
}

}  // namespace

Dictionary::Dictionary(const Analyzer& analyzer, DictionarySource source)
    : analyzer_(analyzer),
      vocabulary_(MakeVocabulary(source)),
      families_(vocabulary_),
      spelling_(vocabulary_),
      rewriter_(analyzer_, vocabulary_, families_, spelling_),
      completions_(GatherCompletions(source)) {}

std::vector<Completion> Dictionary::Complete(std::string_view typed, size_t limit) const {
  std::vector<Completion> found = completions_.Complete(typed, limit);
  if (found.size() < limit) AddLastWords(typed, limit, found);
  return found;
}

void Dictionary::AddLastWords(std::string_view typed, size_t limit,
                              std::vector<Completion>& found) const {
  const std::string key = FoldWords(typed);
  const size_t blank = key.rfind(' ');
  if (blank == std::string::npos || key.size() > Completions::kMaxTypedBytes) return;
  std::vector<WordId> before;
  std::string text;
  for (size_t begin = 0; begin < blank;) {
    const size_t end = key.find(' ', begin);
    const auto word = vocabulary_.Find(std::string_view(key).substr(begin, end - begin));
    if (!word) return;
    before.push_back(*word);
    text += vocabulary_.display(*word) + ' ';
    begin = end + 1;
  }
  const std::vector<uint32_t> records = vocabulary_.RecordsWithAll(before);
  if (records.empty()) return;
  const std::string_view last_typed = std::string_view(key).substr(blank + 1);
  const auto [first, last] = vocabulary_.PrefixRange(last_typed);
  std::vector<WordId> candidates;
  for (size_t i = first; i < last; ++i) candidates.push_back(static_cast<WordId>(i));
  const auto commoner = [this](WordId a, WordId b) {
    const uint32_t x = vocabulary_.record_count(a);
    const uint32_t y = vocabulary_.record_count(b);
    return x != y ? x > y : a < b;
  };
  const size_t kept = std::min(kLastWords, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                    candidates.end(), commoner);
  candidates.resize(kept);
  std::vector<Completion> companions;
  for (const WordId word : candidates) {
    const bool is_typed = vocabulary_.text(word) == last_typed;
    if (is_typed || std::find(before.begin(), before.end(), word) != before.end()) continue;
    const uint32_t together = vocabulary_.CountAmong(records, word);
    if (together == 0) continue;
    companions.push_back({.text = text + vocabulary_.display(word),
                          .kind = CompletionKind::kPhrase,
                          .count = together,
                          .popularity = static_cast<float>(together)});
  }
  std::stable_sort(
      companions.begin(), companions.end(),
      [](const Completion& a, const Completion& b) { return a.popularity > b.popularity; });
  for (Completion& completion : companions) {
    if (found.size() == limit) return;
    if (!Proposes(found, FoldWords(completion.text))) found.push_back(std::move(completion));
  }
}

}  // namespace emptor::retrieval
