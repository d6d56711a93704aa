// Hash maps over the phrasings; vectors by retrieval/vector.
#include "retrieval/cache/faq_segment.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "catalog/encoding/utf8.h"
#include "retrieval/byte_count.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {

std::string PrimarySubtag(std::string_view locale) {
  return FoldForComparison(locale.substr(0, locale.find_first_of("-_")));
}

std::shared_ptr<const FaqRecord> ReadFaqRecord(const FaqPhrasings& entry) {
  auto record = std::make_shared<FaqRecord>();
  record->id = entry.id;
  record->locale = entry.locale;
  record->language = PrimarySubtag(entry.locale);
  std::map<uint64_t, uint32_t> counts;
  std::map<uint32_t, uint32_t> trigrams;
  for (const std::string& text : entry.phrasings) {
    FaqPhrasing phrasing;
    phrasing.text = catalog::IsValidUtf8(text)
                        ? std::string(catalog::Utf8Prefix(text, kMaxQuestionBytes))
                        : text.substr(0, kMaxQuestionBytes);
    phrasing.key = ExactKey(phrasing.text);
    phrasing.words =
        ReadQuestionText(phrasing.text, LanguageOfQuestion(phrasing.text, entry.locale));
    phrasing.form = ReadQuestionForm(phrasing.text, entry.locale);
    for (const QuestionTerm& term : phrasing.words.terms) ++counts[term.hash];
    for (const uint32_t trigram : phrasing.words.trigrams) ++trigrams[trigram];
    record->phrasings.push_back(std::move(phrasing));
  }
  for (const auto& [term, phrasings] : counts) record->terms.push_back({term, phrasings});
  std::vector<const QuestionForm*> forms;
  for (const FaqPhrasing& phrasing : record->phrasings) forms.push_back(&phrasing.form);
  record->tolerated = ToleratedKinds(forms);
  if (record->phrasings.size() > 1) {
    for (const auto& [trigram, phrasings] : trigrams) {
      record->trigrams.push_back({trigram, phrasings});
    }
  }
  return record;
}

uint32_t FaqRecord::PhrasingsWithTerm(uint64_t term) const {
  const auto found = std::lower_bound(terms.begin(), terms.end(), term,
                                      [](const Term& a, uint64_t b) { return a.hash < b; });
  return found == terms.end() || found->hash != term ? 0 : found->phrasings;
}

uint32_t FaqRecord::PhrasingsWithTrigram(uint32_t trigram) const {
  if (phrasings.size() == 1) {
    const auto& own = phrasings.front().words.trigrams;
    return std::binary_search(own.begin(), own.end(), trigram) ? 1 : 0;
  }
  const auto found = std::lower_bound(trigrams.begin(), trigrams.end(), trigram,
                                      [](const Trigram& a, uint32_t b) { return a.hash < b; });
  return found == trigrams.end() || found->hash != trigram ? 0 : found->phrasings;
}

FaqSegment::FaqSegment(std::vector<std::shared_ptr<const FaqRecord>> records, QuantizedRows rows)
    : records_(std::move(records)), vectors_(std::move(rows)) {
  for (uint32_t i = 0; i < records_.size(); ++i) {
    const auto first = static_cast<uint32_t>(places_.size());
    const auto count = static_cast<uint32_t>(records_[i]->phrasings.size());
    rows_of_entry_[records_[i]->id] = {first, first + count};
    for (uint32_t j = 0; j < count; ++j) places_.push_back({i, j});
  }
  assert(places_.size() == vectors_.size());
  AddPostings();
  background_ = SampleBackground();
}

void FaqSegment::AddPostings() {
  for (uint32_t row = 0; row < places_.size(); ++row) {
    const FaqPhrasing& phrasing = phrasing_at(row);
    term_counts_.push_back(static_cast<uint16_t>(phrasing.words.terms.size()));
    if (!phrasing.key.empty()) rows_of_key_[phrasing.key].push_back(row);
    for (const QuestionTerm& term : phrasing.words.terms) {
      rows_of_term_[term.hash].push_back(row);
    }
    for (const uint32_t trigram : phrasing.words.trigrams) ++phrasings_with_trigram_[trigram];
  }
  for (const auto& record : records_) {
    for (const auto& term : record->terms) ++entries_with_term_[term.hash];
  }
}

FaqSegment::Background FaqSegment::SampleBackground() const {
  constexpr size_t kPairs = 400;
  Background background;
  const size_t n = places_.size();
  if (n < 2) return background;
  const auto dimension = static_cast<size_t>(vectors_.dimension());
  std::vector<float> row(dimension);
  for (size_t i = 0; i < kPairs; ++i) {
    // Multiples of two odd constants spread over the rows.
    const size_t a = (i * 2654435761u + 17) % n, b = (i * 40503u * 7919u + 101) % n;
    if (places_[a].record == places_[b].record) continue;
    vectors_.rows().DecodeInto(a, row);
    background.mean += vectors_.rows().Score(QuantizedQuery(row), b);
    ++background.pairs;
  }
  if (background.pairs > 0) background.mean /= static_cast<double>(background.pairs);
  return background;
}

std::pair<uint32_t, uint32_t> FaqSegment::RowsOfEntry(std::string_view id) const {
  const auto found = rows_of_entry_.find(id);
  return found == rows_of_entry_.end() ? std::pair<uint32_t, uint32_t>() : found->second;
}

std::span<const uint32_t> FaqSegment::RowsOfKey(std::string_view key) const {
  const auto found = rows_of_key_.find(key);
  return found == rows_of_key_.end() ? std::span<const uint32_t>() : found->second;
}

std::span<const uint32_t> FaqSegment::RowsOfTerm(uint64_t term) const {
  const auto found = rows_of_term_.find(term);
  return found == rows_of_term_.end() ? std::span<const uint32_t>() : found->second;
}

uint32_t FaqSegment::PhrasingsWithTrigram(uint32_t trigram) const {
  const auto found = phrasings_with_trigram_.find(trigram);
  return found == phrasings_with_trigram_.end() ? 0 : found->second;
}

uint32_t FaqSegment::EntriesWithTerm(uint64_t term) const {
  const auto found = entries_with_term_.find(term);
  return found == entries_with_term_.end() ? 0 : found->second;
}

size_t FaqSegment::memory_bytes() const {
  constexpr size_t kNode = 48;  // of a map, with its list
  size_t bytes = vectors_.byte_size() + places_.size() * sizeof(Place);
  for (const auto& record : records_) {
    bytes += sizeof(FaqRecord) + record->id.size() +
             record->terms.size() * sizeof(FaqRecord::Term) +
             record->trigrams.size() * sizeof(FaqRecord::Trigram);
    for (const FaqPhrasing& phrasing : record->phrasings) {
      bytes += sizeof(FaqPhrasing) + phrasing.text.size() + phrasing.key.size() + kNode +
               phrasing.words.terms.size() * (sizeof(QuestionTerm) + sizeof(uint32_t)) +
               phrasing.words.trigrams.size() * sizeof(uint32_t) + ByteCount(phrasing.form);
    }
  }
  return bytes + (rows_of_term_.size() + entries_with_term_.size()) * kNode;
}

}  // namespace emptor::retrieval
