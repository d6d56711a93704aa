// Variable-length integers (LEB128): seven bits a byte, low bits first, the top bit continues.
#pragma once

#include <cstdint>
#include <string>

namespace emptor::retrieval {

inline void AppendVarint(uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

/// Reads from bytes that CheckIndexBytes accepted; advances `at` past the number.
inline uint64_t ReadVarint(const uint8_t*& at) {
  uint64_t value = *at & 0x7F;
  for (unsigned shift = 7; *at++ >= 0x80; shift += 7) value |= uint64_t{*at & 0x7Fu} << shift;
  return value;
}

/// Advances `at` past `count` numbers.
inline void SkipVarints(uint32_t count, const uint8_t*& at) {
  while (count > 0) count -= *at++ < 0x80;
}

/// Reads from unchecked bytes. False when the number does not end before `end` or
/// needs more than 63 bits.
inline bool ReadVarintChecked(const uint8_t*& at, const uint8_t* end, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 63 && at < end; shift += 7) {
    value |= uint64_t{*at & 0x7Fu} << shift;
    if (*at++ < 0x80) return true;
  }
  return false;
}

}  // namespace emptor::retrieval
