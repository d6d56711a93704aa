// Folding and hashing of identifiers.
#include "retrieval/hybrid/identifier_map.h"

#include <algorithm>
#include <functional>
#include <string>

#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

std::string FoldKey(std::string_view identifier) {
  std::string key = FoldIdentifier(identifier);
  const bool number = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
  if (number) key.erase(0, std::min(key.find_first_not_of('0'), key.size() - 1));
  return key;
}

uint64_t HashKey(std::string_view key) { return std::hash<std::string_view>()(key); }

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

}  // namespace emptor::retrieval
