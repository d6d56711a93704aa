// Groups as they are added; the records sorted by group once all are known.
#include "retrieval/segment/item_groups.h"

#include <algorithm>
#include <cstring>

#include "retrieval/byte_count.h"

namespace emptor::retrieval {

uint64_t HashItemGroup(std::string_view id) {
  if (id.empty()) return 0;
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash == 0 ? 1 : hash;
}

void ItemGroups::Seal() {
  by_group_.clear();
  for (uint32_t r = 0; r < groups_.size(); ++r) {
    if (groups_[r] != 0) by_group_.push_back(r);
  }
  by_group_.shrink_to_fit();
  std::stable_sort(by_group_.begin(), by_group_.end(),
                   [this](uint32_t a, uint32_t b) { return groups_[a] < groups_[b]; });
}

std::span<const uint32_t> ItemGroups::members(uint64_t group) const {
  const auto first =
      std::lower_bound(by_group_.begin(), by_group_.end(), group,
                       [this](uint32_t record, uint64_t g) { return groups_[record] < g; });
  const auto last =
      std::upper_bound(first, by_group_.end(), group,
                       [this](uint64_t g, uint32_t record) { return g < groups_[record]; });
  return {first, last};
}

std::string ItemGroups::Encode() const {
  return std::string(reinterpret_cast<const char*>(groups_.data()),
                     groups_.size() * sizeof(uint64_t));
}

absl::StatusOr<ItemGroups> ItemGroups::Decode(std::span<const uint8_t> bytes) {
  if (bytes.size() % sizeof(uint64_t) != 0) {
    return absl::DataLossError("item groups: expected 8 bytes a record");
  }
  ItemGroups groups;
  groups.groups_.resize(bytes.size() / sizeof(uint64_t));
  if (!bytes.empty()) std::memcpy(groups.groups_.data(), bytes.data(), bytes.size());
  groups.Seal();
  return groups;
}

size_t ItemGroups::byte_size() const { return ByteCount(groups_) + ByteCount(by_group_); }

}  // namespace emptor::retrieval
