// Folding and hashing of identifiers.
#include "retrieval/segment/identifier_map.h"

#include <algorithm>
#include <string>

#include "catalog/encoding/fnv.h"
#include "retrieval/byte_codec.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

std::string FoldKey(std::string_view identifier) {
  std::string key = FoldIdentifier(identifier);
  const bool number = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
  if (number) key.erase(0, std::min(key.find_first_not_of('0'), key.size() - 1));
  return key;
}

/// FNV-1a, then the mixing of splitmix64. It is in files: the library's own hash may change.
uint64_t HashKey(std::string_view key) {
  uint64_t hash = catalog::Fnv1a64(key);
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9ull;
  hash = (hash ^ hash >> 27) * 0x94D049BB133111EBull;
  return hash ^ hash >> 31;
}

}  // namespace

void IdentifierMap::Add(const catalog::Product& product, uint32_t record) {
  entries_.emplace_back(HashKey(FoldKey(product.id)), record);
  if (!product.gtin.empty()) entries_.emplace_back(HashKey(FoldKey(product.gtin)), record);
  const std::string part_number = FoldKey(product.mpn);
  if (part_number.size() >= kMinPartNumberLength)
    entries_.emplace_back(HashKey(part_number), record);
}

void IdentifierMap::AddFrom(const IdentifierMap& source, std::span<const uint32_t> new_positions) {
  for (const auto& [hash, record] : source.entries_) {
    if (new_positions[record] != UINT32_MAX) entries_.emplace_back(hash, new_positions[record]);
  }
}

void IdentifierMap::Seal() {
  std::sort(entries_.begin(), entries_.end());
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
}

std::vector<uint32_t> IdentifierMap::Find(std::string_view query) const {
  const std::string key = FoldKey(query);
  std::vector<uint32_t> records;
  if (key.empty()) return records;
  const uint64_t hash = HashKey(key);
  for (auto entry =
           std::lower_bound(entries_.begin(), entries_.end(), std::pair(hash, uint32_t{0}));
       entry != entries_.end() && entry->first == hash; ++entry) {
    records.push_back(entry->second);
  }
  return records;
}

std::string IdentifierMap::Encode() const {
  ByteWriter out;
  for (const auto& [hash, record] : entries_) {
    out.Put(hash);
    out.Put(record);
  }
  return out.Take();
}

bool IdentifierMap::Decode(std::span<const uint8_t> bytes, size_t records) {
  entries_.clear();
  for (ByteReader in(bytes); !in.done();) {
    const auto hash = in.Get<uint64_t>();
    const auto record = in.Get<uint32_t>();
    const bool follows = entries_.empty() || entries_.back() < std::pair(hash, record);
    if (!in.ok() || record >= records || !follows) {
      entries_.clear();
      return false;
    }
    entries_.emplace_back(hash, record);
  }
  return true;
}

}  // namespace emptor::retrieval
