// The KV memory of the engine, cut into blocks of equal size.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::engine {

/// Index of a block in KV memory.
enum class BlockId : int32_t {};

class BlockPool;

/// One block in use; goes back to its pool when it dies. Move-only.
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

/// Fixed pool of KV blocks.
/// Thread-safety: engine thread only. Lifetime: outlives every Block.
/// Invariant: free_count() + blocks in use == capacity().
class BlockPool {
 public:
  /// REQUIRES: capacity >= 0.
  explicit BlockPool(int capacity);
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// Takes `n` blocks, all or none. Errors: kResourceExhausted when fewer are free.
  absl::StatusOr<std::vector<Block>> Allocate(int n);

  int capacity() const { return capacity_; }
  int free_count() const { return static_cast<int>(free_.size()); }

 private:
  friend class Block;
  void Free(BlockId id) { free_.push_back(id); }

  int capacity_;
  std::vector<BlockId> free_;  // the last one freed, still warm in the cache, is taken first
};

/// The blocks of one sequence: block i holds the tokens from i * block_tokens on.
class BlockTable {
 public:
  void Append(std::vector<Block> blocks);
  void Clear();
  const std::vector<BlockId>& ids() const { return ids_; }
  int size() const { return static_cast<int>(ids_.size()); }

 private:
  std::vector<Block> blocks_;
  std::vector<BlockId> ids_;  // of blocks_, in order
};

}  // namespace emptor::engine
