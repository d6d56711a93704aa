// Sorting words, turning records around into postings, intersecting those.
#include "retrieval/words/vocabulary.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace emptor::retrieval {
namespace {

constexpr size_t kLanguageCount = kStemmedLanguages.size() + 1;
constexpr size_t kSkipRatio = 16;  // from here on bisection beats walking both lists

uint8_t MaskOf(Language language) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(language));
}

/// Calls `visit` with each value that both ascending lists hold.
template <typename Visit>
void Intersect(std::span<const uint32_t> few, std::span<const uint32_t> many, Visit visit) {
  if (few.size() > many.size()) std::swap(few, many);
  auto at = many.begin();
  const bool skip = many.size() / kSkipRatio > few.size();
  for (const uint32_t value : few) {
    if (skip) {
      at = std::lower_bound(at, many.end(), value);
    } else {
      while (at != many.end() && *at < value) ++at;
    }
    if (at == many.end()) return;
    if (*at == value) visit(value);
  }
}

}  // namespace

Vocabulary::Vocabulary(std::vector<VocabularyWord> words, std::span<const RecordWords> records)
    : record_count_(records.size()) {
  std::vector<uint32_t> order(words.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<bool> used(words.size());
  std::array<size_t, kLanguageCount> by_language = {};
  for (const RecordWords& record : records) {
    ++by_language[static_cast<size_t>(record.language)];
    for (const uint32_t word : record.words) used[word] = true;
  }
  std::erase_if(order, [&](uint32_t word) { return !used[word]; });
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return words[a].text < words[b].text; });
  std::vector<uint32_t> rank(words.size());
  for (size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<uint32_t>(i);
    words_.push_back(std::move(words[order[i]]));
  }

  languages_.clear();
  for (const Language language : kStemmedLanguages) {
    if (by_language[static_cast<size_t>(language)] > 0) languages_.push_back(language);
  }
  if (languages_.empty()) languages_.push_back(Language::kEnglish);
  std::stable_sort(languages_.begin(), languages_.end(), [&](Language a, Language b) {
    return by_language[static_cast<size_t>(a)] > by_language[static_cast<size_t>(b)];
  });
  main_language_ = languages_.front();

  // Each list of postings is filled in record order; a repeat shows as the list's last entry.
  std::vector<uint32_t> last_record(words_.size(), UINT32_MAX);
  std::vector<uint64_t> ends(words_.size() + 1, 0);
  for (size_t r = 0; r < records.size(); ++r) {
    for (const uint32_t word : records[r].words) {
      if (std::exchange(last_record[rank[word]], static_cast<uint32_t>(r)) != r)
        ++ends[rank[word] + 1];
    }
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  begins_ = ends;
  postings_.resize(ends.back());
  language_mask_.resize(words_.size());
  std::fill(last_record.begin(), last_record.end(), UINT32_MAX);
  for (size_t r = 0; r < records.size(); ++r) {
    const Language language =
        records[r].language == Language::kOther ? main_language_ : records[r].language;
    for (const uint32_t word : records[r].words) {
      const uint32_t at = rank[word];
      if (std::exchange(last_record[at], static_cast<uint32_t>(r)) == r) continue;
      postings_[ends[at]++] = static_cast<uint32_t>(r);
      language_mask_[at] |= MaskOf(language);
    }
  }
}

std::optional<WordId> Vocabulary::Find(std::string_view word) const {
  const auto found =
      std::lower_bound(words_.begin(), words_.end(), word,
                       [](const VocabularyWord& a, std::string_view b) { return a.text < b; });
  if (found == words_.end() || found->text != word) return std::nullopt;
  return static_cast<WordId>(found - words_.begin());
}

const std::string& Vocabulary::display(WordId word) const {
  const VocabularyWord& entry = words_[IndexOf(word)];
  return entry.display.empty() ? entry.text : entry.display;
}

std::span<const uint32_t> Vocabulary::postings(WordId word) const {
  const uint64_t begin = begins_[IndexOf(word)];
  return std::span(postings_).subspan(begin, begins_[IndexOf(word) + 1] - begin);
}

uint32_t Vocabulary::record_count(WordId word) const {
  return static_cast<uint32_t>(postings(word).size());
}

uint32_t Vocabulary::CountTogether(WordId a, WordId b) const { return CountAmong(postings(a), b); }

uint32_t Vocabulary::CountAmong(std::span<const uint32_t> records, WordId word) const {
  uint32_t count = 0;
  Intersect(records, postings(word), [&](uint32_t) { ++count; });
  return count;
}

std::vector<uint32_t> Vocabulary::RecordsWithAll(std::span<const WordId> words) const {
  if (words.empty()) return {};
  const auto first = postings(words[0]);
  std::vector<uint32_t> records(first.begin(), first.end());
  for (const WordId word : words.subspan(1)) {
    std::vector<uint32_t> both;
    Intersect(records, postings(word), [&](uint32_t record) { both.push_back(record); });
    records = std::move(both);
  }
  return records;
}

std::pair<size_t, size_t> Vocabulary::PrefixRange(std::string_view prefix) const {
  const auto begin =
      std::lower_bound(words_.begin(), words_.end(), prefix,
                       [](const VocabularyWord& a, std::string_view b) { return a.text < b; });
  const auto end = std::partition_point(begin, words_.end(), [&](const VocabularyWord& word) {
    return word.text.starts_with(prefix);
  });
  return {static_cast<size_t>(begin - words_.begin()), static_cast<size_t>(end - words_.begin())};
}

bool Vocabulary::IsIn(Language language, WordId word) const {
  return (language_mask_[IndexOf(word)] & MaskOf(language)) != 0;
}

}  // namespace emptor::retrieval
