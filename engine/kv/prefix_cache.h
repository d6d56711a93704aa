// Finds the keys and values of a prompt's beginning that are already in KV memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/kv/block_pool.h"

namespace emptor::engine {

/// Names the content of a chain of full blocks from the first token on: one salt, one sequence of
/// tokens. Never reused, so a known name always stands for the same content.
enum class PrefixId : uint64_t { kEmpty = 0 };

struct CachedBlock {
  BlockId block{};
  PrefixId prefix = PrefixId::kEmpty;  // of the chain that ends with the block
};

/// Full blocks by content: a block is found under the name of the chain before it and its own
/// tokens. Tokens are compared, not only their hashes, so a collision cannot mix two contents. The
/// salt is part of the first block, so chains of different salts never meet. Blocks without a
/// reference stay until the pool evicts them. Tables return their last block first and reference
/// every block of a chain that they use, so the end of a chain is evicted before its beginning.
/// Cost: one hash look-up for each block. Thread-safety: engine thread only.
/// Lifetime: within the pool's, whose on_evict hook it takes.
/// Source of the idea: Kwon et al. 2023, arXiv:2309.06180, 4.4; block by block as in a trie.
class PrefixCache {
 public:
  PrefixCache(BlockPool& pool, int block_tokens);
  ~PrefixCache();
  PrefixCache(const PrefixCache&) = delete;
  PrefixCache& operator=(const PrefixCache&) = delete;

  /// Brings `match`, empty or an earlier result for these tokens and this salt, up to date: the
  /// longest chain of known blocks that the tokens begin with, at most `max_blocks`.
  /// The pool may evict the blocks at any allocation unless they are shared before.
  void MatchInto(std::string_view salt, std::span<const int32_t> tokens, int max_blocks,
                 std::vector<CachedBlock>& match) const;

  /// Makes a computed block findable. Returns the block that holds this content: `block`, or an
  /// earlier one, which the caller should use instead.
  /// REQUIRES: tokens.size() == block_tokens; `block` is in use; the chain `before` is in use.
  CachedBlock Insert(PrefixId before, std::string_view salt, std::span<const int32_t> tokens,
                     BlockId block);

  /// Blocks that can be found.
  int size() const { return static_cast<int>(index_.size()); }

 private:
  /// The key under which a block is found.
  struct Entry {
    PrefixId prefix = PrefixId::kEmpty;  // kEmpty: the block is not findable
    PrefixId before = PrefixId::kEmpty;
    uint64_t hash = 0;
    std::string salt;  // of a first block only
    std::vector<int32_t> tokens;
  };
  struct Key {
    PrefixId before;
    std::string_view salt;
    std::span<const int32_t> tokens;
  };

  uint64_t Hash(const Key& key) const;
  const Entry* Find(const Key& key, uint64_t hash, BlockId& block) const;
  void Forget(BlockId block);
  const Entry& At(BlockId block) const { return entries_[static_cast<size_t>(block)]; }

  BlockPool* pool_;
  size_t block_tokens_;
  uint64_t secret_;  // random, so that clients cannot choose tokens that collide
  uint64_t last_prefix_ = 0;
  std::vector<Entry> entries_;  // by block
  std::unordered_multimap<uint64_t, BlockId> index_;
};

}  // namespace emptor::engine
