// The item group of each record of a segment: products that are variants of one another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::retrieval {

/// FNV-1a (64 bit) of an item_group_id; 0 for an empty id, and only for that.
uint64_t HashItemGroup(std::string_view id);

/// Groups by record, and records by group. Thread-safety: const methods. Add is for building, which
/// ends with Seal.
class ItemGroups {
 public:
  /// Adds the next record; `group` is 0 for a record without a group.
  void Add(uint64_t group) { groups_.push_back(group); }
  void Seal();

  size_t record_count() const { return groups_.size(); }
  uint64_t group(uint32_t record) const { return groups_[record]; }
  /// The records of a group, ascending. REQUIRES: sealed; group is not 0.
  std::span<const uint32_t> members(uint64_t group) const;

  std::string Encode() const;
  /// Sealed. Errors: kDataLoss (not a whole number of groups).
  static absl::StatusOr<ItemGroups> Decode(std::span<const uint8_t> bytes);

  size_t byte_size() const;  // in memory

 private:
  std::vector<uint64_t> groups_;    // [records]
  std::vector<uint32_t> by_group_;  // records with a group, by group, then by record
};

}  // namespace emptor::retrieval
