// The KV memory of the engine, cut into blocks of equal size.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::engine {

/// Index of a block in KV memory.
enum class BlockId : int32_t {};

class BlockPool;

/// A reference to a block in use. The block returns to its pool when its last reference dies.
/// Move-only.
class Block {
 public:
  Block(Block&& other) noexcept;
  Block& operator=(Block&& other) noexcept;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();

  BlockId id() const { return id_; }

 private:
  friend class BlockPool;
  Block(BlockPool* pool, BlockId id) : pool_(pool), id_(id) {}

  BlockPool* pool_;  // null after a move
  BlockId id_;
};

/// Fixed pool of reference-counted KV blocks. A block whose content is worth keeping (Keep) stays
/// findable after its last reference died, until all other free blocks are taken; then the least
/// recently used one is evicted.
/// Thread-safety: engine thread only. Lifetime: outlives every Block.
/// Invariant: free_count() + blocks in use == capacity().
class BlockPool {
 public:
  /// REQUIRES: capacity >= 0.
  explicit BlockPool(int capacity);
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// Takes `n` blocks, all or none: first those that keep nothing, then the least recently used
  /// kept ones. Errors: kResourceExhausted when fewer are free.
  absl::StatusOr<std::vector<Block>> Allocate(int n);

  /// Adds a reference. REQUIRES: the block is in use or kept.
  Block Share(BlockId id);

  /// The content outlives the last reference. REQUIRES: the block is in use.
  void Keep(BlockId id);

  /// Called when a kept block is about to be evicted.
  void set_on_evict(std::function<void(BlockId)> hook) { on_evict_ = std::move(hook); }

  int capacity() const { return static_cast<int>(ref_counts_.size()); }
  /// Counts kept blocks without a reference.
  int free_count() const { return static_cast<int>(free_.size()) + kept_count_; }
  /// Reference count of each block, by id.
  std::span<const int32_t> ref_counts() const { return ref_counts_; }

 private:
  friend class Block;
  struct Link {
    int32_t previous = 0, next = 0;
  };

  void Free(BlockId id);
  void PushKept(BlockId id);
  void RemoveKept(BlockId id);
  BlockId TakeOne();

  std::vector<int32_t> ref_counts_;
  std::vector<bool> keeps_;
  std::vector<BlockId> free_;  // keep nothing; the last one freed, still warm, is taken first
  /// Kept blocks without a reference, in a ring from the least recently used; the last link is its
  /// head.
  std::vector<Link> links_;
  int kept_count_ = 0;
  std::function<void(BlockId)> on_evict_;
};

/// The blocks of one sequence: block i holds the tokens from i * block_tokens on.
class BlockTable {
 public:
  BlockTable() = default;
  BlockTable(BlockTable&&) = default;
  BlockTable& operator=(BlockTable&&) = default;
  ~BlockTable() { Clear(); }

  void Append(Block block);
  void Append(std::vector<Block> blocks);
  /// Puts another block in the place of block `i`.
  void Replace(int i, Block block);
  /// Returns all blocks but the first `size`, the last one first, so that beginnings of prompts are
  /// kept longer. REQUIRES: 0 <= size <= size().
  void Truncate(int size);
  void Clear() { Truncate(0); }
  const std::vector<BlockId>& ids() const { return ids_; }
  int size() const { return static_cast<int>(ids_.size()); }

 private:
  std::vector<Block> blocks_;
  std::vector<BlockId> ids_;  // of blocks_, in order
};

}  // namespace emptor::engine
