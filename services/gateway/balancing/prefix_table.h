// Which replica has computed which prefixes of prompts, as far as the gateway has sent them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emptor::services {

/// The prompt in blocks of so many bytes, each hashed with all that lies before it: equal names are
/// equal prefixes. A block that is not full has no name; no more than `max_blocks` are named. Pure.
std::vector<uint64_t> PromptBlocks(std::string_view prompt, size_t block_bytes, size_t max_blocks);

/// Remembers for each replica its latest blocks, `blocks_per_replica` of them. What a replica has
/// dropped earlier is believed to be there still: affinity is then of no use, and does no harm.
/// Thread-safety: one thread.
class PrefixTable {
 public:
  PrefixTable(size_t replicas, size_t blocks_per_replica)
      : replicas_(replicas), capacity_(blocks_per_replica) {}

  /// How many blocks at the beginning of the prompt the replica holds.
  size_t Match(size_t replica, std::span<const uint64_t> blocks) const;
  /// The replica computes the prompt.
  void Add(size_t replica, std::span<const uint64_t> blocks);
  /// The replica has started again, and holds nothing.
  void Forget(size_t replica);

 private:
  struct Held {
    std::list<uint64_t> order;  // least recently used first
    std::unordered_map<uint64_t, std::list<uint64_t>::iterator> places;
  };
  std::vector<Held> replicas_;
  size_t capacity_;
};

}  // namespace emptor::services
