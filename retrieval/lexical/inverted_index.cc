// Building, merging and sealing of posting lists.
#include "retrieval/lexical/inverted_index.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace emptor::retrieval {

std::optional<PostingList> InvertedIndex::Find(std::string_view term) const {
  const auto found = terms_.find(term);
  if (found == terms_.end()) return std::nullopt;
  const uint32_t id = found->second;
  const size_t begin = begins_[id];
  const size_t count = begins_[id + 1] - begin;
  return PostingList{.records = std::span(records_).subspan(begin, count),
                     .impacts = std::span(impacts_).subspan(begin, count),
                     .max_impact = max_impacts_[id]};
}

uint32_t InvertedIndexBuilder::TermId(std::string_view term) {
  return terms_.try_emplace(term, static_cast<uint32_t>(terms_.size())).first->second;
}

void InvertedIndexBuilder::SetLengths(uint32_t record, const PerField<uint16_t>& lengths) {
  if (record >= lengths_.size()) lengths_.resize(size_t{record} + 1);
  lengths_[record] = lengths;
}

void InvertedIndexBuilder::Add(const Analyzer& analyzer, const FieldTexts& texts) {
  const auto record = static_cast<uint32_t>(lengths_.size());
  PerField<uint16_t> lengths = {};
  record_terms_.clear();
  for (size_t f = 0; f < kFieldCount; ++f) {
    analyzer.ForEachTerm(texts[f], TextRole::kRecord, [&](std::string_view term) {
      uint16_t& packed = record_terms_[TermId(term)];
      FieldFrequencies frequencies(packed);
      frequencies.Increment(static_cast<Field>(f));
      packed = frequencies.packed();
      if (lengths[f] < std::numeric_limits<uint16_t>::max()) ++lengths[f];
    });
  }
  for (const auto& [term, packed] : record_terms_) postings_.push_back({term, record, packed});
  SetLengths(record, lengths);
}

void InvertedIndexBuilder::AddSegment(const InvertedIndex& source,
                                      std::span<const uint32_t> new_positions) {
  assert(new_positions.size() == source.record_count());
  for (size_t i = 0; i < new_positions.size(); ++i) {
    if (new_positions[i] != kDropped) SetLengths(new_positions[i], source.lengths_[i]);
  }
  for (const auto& [term, id] : source.terms_) {
    uint32_t own_id = kDropped;
    for (size_t i = source.begins_[id]; i < source.begins_[id + 1]; ++i) {
      const uint32_t record = new_positions[source.records_[i]];
      if (record == kDropped) continue;
      if (own_id == kDropped) own_id = TermId(term);
      postings_.push_back({own_id, record, source.frequencies_[i]});
    }
  }
}

InvertedIndex InvertedIndexBuilder::Seal(const LengthStatistics* averages) && {
  std::sort(postings_.begin(), postings_.end(), [](const Posting& a, const Posting& b) {
    return a.term != b.term ? a.term < b.term : a.record < b.record;
  });
  InvertedIndex index;
  for (const auto& lengths : lengths_) index.own_lengths_.Add(lengths);
  const LengthStatistics& statistics = averages != nullptr ? *averages : index.own_lengths_;
  index.impact_unit_ = (options_.k1 + 1.0f) / 65535.0f;
  index.begins_.assign(terms_.size() + 1, 0);
  index.max_impacts_.assign(terms_.size(), 0);
  index.records_.reserve(postings_.size());
  index.frequencies_.reserve(postings_.size());
  index.impacts_.reserve(postings_.size());
  for (const Posting& posting : postings_) {
    const float impact = ComputeImpact(options_, statistics, FieldFrequencies(posting.frequencies),
                                       lengths_[posting.record]);
    const auto quantised =
        static_cast<uint16_t>(std::clamp(std::lround(impact / index.impact_unit_), 1L, 65535L));
    index.records_.push_back(posting.record);
    index.frequencies_.push_back(posting.frequencies);
    index.impacts_.push_back(quantised);
    index.max_impacts_[posting.term] = std::max(index.max_impacts_[posting.term], quantised);
    ++index.begins_[posting.term + 1];
  }
  for (size_t t = 0; t < terms_.size(); ++t) index.begins_[t + 1] += index.begins_[t];
  index.terms_ = std::move(terms_);
  index.lengths_ = std::move(lengths_);
  return index;
}

}  // namespace emptor::retrieval
