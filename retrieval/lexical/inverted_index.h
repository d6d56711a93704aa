// The inverted index of one segment: terms to the records that contain them, as compressed bytes
// in memory or in a mapped file.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/lexical/bm25.h"
#include "retrieval/lexical/posting_list.h"
#include "retrieval/lexical/term_dictionary.h"

namespace emptor::retrieval {

/// The ranges of the fields in the positions of a record: the position of a term is its index in
/// the field plus the begin of the field. A gap of one separates the fields.
class FieldPositions {
 public:
  explicit FieldPositions(const PerField<uint16_t>& lengths);
  uint32_t begin(size_t field) const { return begins_[field]; }
  size_t FieldOf(uint32_t position) const;

 private:
  std::array<uint32_t, kFieldCount + 1> begins_ = {};
};

/// Immutable; a copy shares the bytes. Layout: docs/formats/lexical_index.md.
/// Thread-safety: const methods. An impact times impact_unit() is ComputeImpact of the posting,
/// rounded to the nearest step.
class InvertedIndex {
 public:
  InvertedIndex() = default;  // of no records

  /// Validates every byte; searches do no further checks. Views into the index are valid as long as
  /// it or a copy of it; `owner` keeps `bytes` alive. Errors: kDataLoss.
  static absl::StatusOr<InvertedIndex> Parse(std::span<const uint8_t> bytes,
                                             std::shared_ptr<const void> owner);

  /// Passes the bytes of the index to `sink`, piece by piece; returns its first error.
  using ByteSink = std::function<absl::Status(const void* data, size_t size)>;
  absl::Status Write(const ByteSink& sink) const;
  uint64_t byte_size() const;

  size_t record_count() const { return head_.records; }
  size_t term_count() const { return head_.terms; }
  size_t posting_count() const { return head_.postings; }

  /// Nothing when no record contains the term.
  std::optional<PostingList> Find(std::string_view term) const;
  uint32_t document_frequency(std::string_view term) const;
  PostingList list(const TermEntry& entry) const;

  /// All terms in byte order, with their document frequencies.
  const TermDictionary& terms() const { return terms_; }

  /// Positions of the term in one record (see FieldPositions), ascending; empty if it has none.
  std::vector<uint32_t> FindPositions(std::string_view term, uint32_t record) const;

  /// Lengths of the record's fields in terms, saturated.
  PerField<uint16_t> lengths(uint32_t record) const;
  const LengthStatistics& length_statistics() const { return statistics_; }

  /// The score of one step of a stored impact.
  float impact_unit() const { return head_.impact_unit; }

 private:
  friend class InvertedIndexBuilder;

  struct Head {
    uint32_t records = 0;
    uint32_t terms = 0;
    uint64_t postings = 0;
    float impact_unit = 0;
    uint32_t reserved = 0;
    uint64_t dictionary_bytes = 0;
    uint64_t list_bytes = 0;
    uint64_t position_bytes = 0;
  };
  static_assert(sizeof(Head) == 48);

  /// The sections, in the order of the file.
  struct Sections {
    std::span<const uint8_t> lengths;        // [records] of five u16
    std::span<const uint8_t> block_offsets;  // [blocks of the dictionary] u32
    std::span<const uint8_t> dictionary, lists, positions;
  };

  InvertedIndex(const Head& head, const Sections& sections, std::shared_ptr<const void> owner);

  Head head_;
  Sections sections_;
  TermDictionary terms_;
  LengthStatistics statistics_;
  std::shared_ptr<const void> owner_;
};

}  // namespace emptor::retrieval
