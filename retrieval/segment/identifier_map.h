// Records by identifier: id, GTIN, manufacturer's part number.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// Finds the records whose identifier is the whole query. Identifiers are compared by their letters
/// and digits, case-folded, without leading zeros (so a UPC equals its GTIN-13 and GTIN-14).
/// Keeps 64-bit hashes: about one look-up in 10^12 at a million records is a false match.
/// Thread-safety: const methods after Seal.
class IdentifierMap {
 public:
  /// Shorter part numbers are not indexed: "80" is also a number.
  static constexpr size_t kMinPartNumberLength = 4;

  void Add(const catalog::Product& product, uint32_t record);
  /// Adds the entries of another map; `new_positions[r] == UINT32_MAX` drops record r.
  void AddFrom(const IdentifierMap& source, std::span<const uint32_t> new_positions);
  void Seal();

  /// The records that `query` identifies, ascending.
  std::vector<uint32_t> Find(std::string_view query) const;

  /// Each entry's hash (8 bytes) and record (4), in order; for the segment file.
  std::string Encode() const;
  /// False, and no entries, when the bytes are not a sealed map of `records` records.
  bool Decode(std::span<const uint8_t> bytes, size_t records);

  size_t byte_size() const { return entries_.capacity() * sizeof(entries_[0]); }  // in memory

 private:
  std::vector<std::pair<uint64_t, uint32_t>> entries_;  // sorted once sealed
};

}  // namespace emptor::retrieval
