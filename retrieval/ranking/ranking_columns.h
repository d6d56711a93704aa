// What the ranking looks at of a segment's records, by column.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "retrieval/ranking/features.h"
#include "retrieval/text/analyzer.h"

namespace emptor::retrieval {

/// Stands before the columns in the segment file; raise it with every change of what a row holds or
/// how it is made.
inline constexpr uint32_t kRankingColumnsVersion = 1;

/// What of a product the ranking looks at.
struct RankingRow {
  std::vector<uint32_t> title, brand, category;  // HashTerm, in the order of the text
  RecordSigns signs;
  uint64_t group = 0;  // FNV-1a (64 bit) of its item_group_id; 0: none

  friend bool operator==(const RankingRow&, const RankingRow&) = default;
};

/// ln(1 + what the shop counts); 0 where it counts nothing.
float PopularitySign(const catalog::Product& product);

RecordSigns MakeRecordSigns(const catalog::Product& product);

/// At most 64 terms of the title, 8 of the brand, 24 of the categories.
RankingRow MakeRankingRow(const Analyzer& analyzer, const catalog::Product& product);

/// Thread-safety: const methods. Add is for building, which ends with Seal.
class RankingColumns {
 public:
  void Add(const RankingRow& row);
  void Seal();

  size_t record_count() const { return signs_.size(); }
  RecordTerms terms(uint32_t record) const;
  const RecordSigns& signs(uint32_t record) const { return signs_[record]; }
  uint64_t group(uint32_t record) const { return groups_[record]; }
  /// The records of a group, ascending. REQUIRES: sealed; group is not 0.
  std::span<const uint32_t> members(uint64_t group) const;
  /// Gives back what was added; merging segments goes through it.
  RankingRow row(uint32_t record) const;

  std::string Encode() const;
  /// Sealed. Errors: kDataLoss (another version, or bytes that are no columns).
  static absl::StatusOr<RankingColumns> Decode(std::span<const uint8_t> bytes);

  size_t byte_size() const;  // in memory

 private:
  static constexpr size_t kFields = 3;

  std::vector<uint32_t> terms_;
  std::vector<uint32_t> ends_;  // [records, kFields] in terms_
  std::vector<RecordSigns> signs_;
  std::vector<uint64_t> groups_;
  std::vector<uint32_t> by_group_;  // records that have one, by group, then position
};

}  // namespace emptor::retrieval
