// The inverted index of one segment: terms to the records that contain them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "retrieval/lexical/bm25.h"
#include "retrieval/text/analyzer.h"

namespace emptor::retrieval {

/// Terms by name; looked up by view.
struct TermHash {
  using is_transparent = void;
  size_t operator()(std::string_view term) const { return std::hash<std::string_view>()(term); }
};
using TermMap = absl::flat_hash_map<std::string, uint32_t, TermHash, std::equal_to<>>;

/// The text of one record, by field. Views are read during the call only.
using FieldTexts = PerField<std::string_view>;

/// The postings of one term, in record order. impacts[i] * impact_unit is ComputeImpact of
/// records[i].
struct PostingList {
  std::span<const uint32_t> records;
  std::span<const uint16_t> impacts;
  uint16_t max_impact = 0;
};

/// Immutable. 8 bytes a posting: record, frequencies by field (for merging), quantised impact.
/// Thread-safety: const methods. Invariant: each posting list ascends by record.
class InvertedIndex {
 public:
  InvertedIndex() = default;  // of no records

  size_t record_count() const { return lengths_.size(); }
  size_t term_count() const { return terms_.size(); }
  size_t posting_count() const { return records_.size(); }

  /// Nothing when no record contains the term.
  std::optional<PostingList> Find(std::string_view term) const;

  /// What one step of a stored impact is worth.
  float impact_unit() const { return impact_unit_; }

  const LengthStatistics& length_statistics() const { return own_lengths_; }

 private:
  friend class InvertedIndexBuilder;

  TermMap terms_;
  std::vector<uint64_t> begins_;             // [terms + 1] into the next three
  std::vector<uint32_t> records_;            // [postings]
  std::vector<uint16_t> frequencies_;        // [postings] FieldFrequencies, packed
  std::vector<uint16_t> impacts_;            // [postings]
  std::vector<uint16_t> max_impacts_;        // [terms]
  std::vector<PerField<uint16_t>> lengths_;  // [records]
  LengthStatistics own_lengths_;
  float impact_unit_ = 0;
};

/// Gathers records in position order, from text or from older segments, and seals them.
/// A segment merged from others equals the one built from the same records' text.
/// Thread-safety: one thread.
class InvertedIndexBuilder {
 public:
  explicit InvertedIndexBuilder(const Bm25Options& options) : options_(options) {}

  /// Adds the record at the next position.
  void Add(const Analyzer& analyzer, const FieldTexts& texts);

  /// Value in `new_positions` of a record that is left out.
  static constexpr uint32_t kDropped = UINT32_MAX;

  /// Adds the records of `source` at the positions `new_positions` ([source.record_count()]). All
  /// positions below the greatest must have been filled when Seal is called.
  void AddSegment(const InvertedIndex& source, std::span<const uint32_t> new_positions);

  /// Impacts are computed with `averages`: the statistics of the whole collection, or null for
  /// those of the added records. The builder is spent afterwards.
  InvertedIndex Seal(const LengthStatistics* averages = nullptr) &&;

 private:
  struct Posting {
    uint32_t term;
    uint32_t record;
    uint16_t frequencies;
  };

  uint32_t TermId(std::string_view term);
  void SetLengths(uint32_t record, const PerField<uint16_t>& lengths);

  Bm25Options options_;
  TermMap terms_;
  std::vector<Posting> postings_;
  std::vector<PerField<uint16_t>> lengths_;
  absl::flat_hash_map<uint32_t, uint16_t> record_terms_;  // of the record being added
};

}  // namespace emptor::retrieval
