// Chained hashes, and one list by use for each replica.
#include "services/gateway/balancing/prefix_table.h"

#include "catalog/encoding/hash64.h"

namespace emptor::services {

std::vector<uint64_t> PromptBlocks(std::string_view prompt, size_t block_bytes, size_t max_blocks) {
  std::vector<uint64_t> blocks;
  uint64_t before = 0;
  while (prompt.size() >= block_bytes && blocks.size() < max_blocks) {
    before = catalog::Hash64(prompt.substr(0, block_bytes), before);
    blocks.push_back(before);
    prompt.remove_prefix(block_bytes);
  }
  return blocks;
}

size_t PrefixTable::Match(size_t replica, std::span<const uint64_t> blocks) const {
  const Held& held = replicas_[replica];
  size_t count = 0;
  while (count < blocks.size() && held.places.contains(blocks[count])) ++count;
  return count;
}

void PrefixTable::Add(size_t replica, std::span<const uint64_t> blocks) {
  Held& held = replicas_[replica];
  // The last block is the first to be forgotten: a prefix without its beginning matches nothing.
  for (size_t i = blocks.size(); i-- > 0;) {
    const auto [place, is_new] = held.places.try_emplace(blocks[i]);
    if (is_new) {
      place->second = held.order.insert(held.order.end(), blocks[i]);
    } else {
      held.order.splice(held.order.end(), held.order, place->second);
    }
  }
  while (held.places.size() > capacity_) {
    held.places.erase(held.order.front());
    held.order.pop_front();
  }
}

void PrefixTable::Forget(size_t replica) { replicas_[replica] = {}; }

}  // namespace emptor::services
