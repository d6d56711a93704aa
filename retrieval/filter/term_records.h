// Ascending records as gaps in LEB128: one byte for most of the records of a common term.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace emptor::retrieval {

/// Appends `record` behind `last`, which is the record before it (any value when there is none).
/// REQUIRES: record > last unless `bytes` is empty.
inline void AppendTermRecord(uint32_t record, uint32_t last, std::string& bytes) {
  uint32_t gap = bytes.empty() ? record : record - last;
  while (gap >= 0x80) {
    bytes.push_back(static_cast<char>(gap | 0x80));
    gap >>= 7;
  }
  bytes.push_back(static_cast<char>(gap));
}

/// Calls `visit(record)` in ascending order. REQUIRES: AreTermRecords.
template <typename Visit>
void ForEachTermRecord(std::string_view bytes, Visit&& visit) {
  uint32_t record = 0;
  for (size_t at = 0; at < bytes.size();) {
    uint32_t gap = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes[at++]);
      gap |= static_cast<uint32_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    record += gap;
    visit(record);
  }
}

/// Each record has one last byte.
inline size_t CountTermRecords(std::string_view bytes) {
  return static_cast<size_t>(std::count_if(
      bytes.begin(), bytes.end(), [](char byte) { return static_cast<uint8_t>(byte) < 0x80; }));
}

/// True when the bytes hold strictly ascending records below `records` and end with one.
inline bool AreTermRecords(std::string_view bytes, uint32_t records) {
  uint64_t record = 0, gap = 0;
  int shift = 0;
  bool first = true;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (shift > 28) return false;
    gap |= static_cast<uint64_t>(byte & 0x7F) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    record += gap;
    if (record >= records || (!first && gap == 0)) return false;
    first = false;
    gap = 0;
    shift = 0;
  }
  return shift == 0 && !first;
}

}  // namespace emptor::retrieval
