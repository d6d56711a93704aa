// Builds inverted indexes from text and from other indexes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "retrieval/lexical/inverted_index.h"
#include "retrieval/text/analyzer.h"

namespace emptor::retrieval {

/// The text of one record, by field. Views are read during the call only.
using FieldTexts = PerField<std::string_view>;

/// Collects records in position order, from text or from other indexes, and builds the index.
/// A merged index equals the one built from the text of the same records, byte by byte.
/// Thread-safety: one thread.
class InvertedIndexBuilder {
 public:
  explicit InvertedIndexBuilder(const Bm25Options& options) : options_(options) {}

  /// Adds the record at the next position.
  void Add(const Analyzer& analyzer, const FieldTexts& texts);

  /// Value in `new_positions` of a record that is dropped.
  static constexpr uint32_t kDropped = UINT32_MAX;

  /// Adds the records of `source` at the positions `new_positions` ([source.record_count()]). All
  /// positions below the greatest must have been filled when Seal is called.
  void AddSegment(const InvertedIndex& source, std::span<const uint32_t> new_positions);

  /// Impacts are computed with `averages`: the statistics of the whole collection, or null for
  /// those of the added records. The builder is spent afterwards.
  InvertedIndex Seal(const LengthStatistics* averages = nullptr) &&;

 private:
  struct TermHash {
    using is_transparent = void;
    size_t operator()(std::string_view term) const { return std::hash<std::string_view>()(term); }
  };
  using TermMap = absl::flat_hash_map<std::string, uint32_t, TermHash, std::equal_to<>>;

  /// Postings of a term in text order: the gap to the record before, then the positions.
  struct TermStream {
    uint32_t next_record = 0;
    std::string bytes;
  };

  /// A segment and where its records go.
  struct Source {
    InvertedIndex index;
    std::vector<uint32_t> new_positions;
  };

  struct Output;
  class TermMerger;

  uint32_t TermId(std::string_view term);
  void SetLengths(uint32_t record, const PerField<uint16_t>& lengths);
  void AppendOccurrences(uint32_t record);

  Bm25Options options_;
  TermMap terms_;
  std::vector<TermStream> streams_;  // [terms_]
  std::vector<Source> sources_;
  std::vector<PerField<uint16_t>> lengths_;
  std::vector<std::pair<uint32_t, uint32_t>> occurrences_;  // term, position: of one record
};

}  // namespace emptor::retrieval
