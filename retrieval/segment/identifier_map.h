// Records by what is printed on them: id, GTIN, manufacturer's part number.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// Finds the records that a query names as a whole. Spelling does not matter: letters and digits
/// only, case-folded, leading zeros of numbers dropped (a UPC is a GTIN-13 is a GTIN-14).
/// Holds 64-bit hashes: a false match is possible once in some 10^12 look-ups at a million records.
/// Thread-safety: const methods after Seal.
class IdentifierMap {
 public:
  /// A part number shorter than this names nothing: "80" is also a number.
  static constexpr size_t kMinPartNumberLength = 4;

  void Add(const catalog::Product& product, uint32_t record);
  /// Takes over entries of another map; `new_positions[r] == UINT32_MAX` drops record r.
  void AddFrom(const IdentifierMap& source, std::span<const uint32_t> new_positions);
  void Seal();

  /// Records named by `query`, ascending.
  std::vector<uint32_t> Find(std::string_view query) const;

  /// Each entry's hash (8 bytes) and record (4), in order; for the segment file.
  std::string Encode() const;
  /// False, and no entries, when the bytes are no sealed map over `records` records.
  bool Decode(std::span<const uint8_t> bytes, size_t records);

  size_t byte_size() const { return entries_.capacity() * sizeof(entries_[0]); }  // in memory

 private:
  std::vector<std::pair<uint64_t, uint32_t>> entries_;  // sorted once sealed
};

}  // namespace emptor::retrieval
