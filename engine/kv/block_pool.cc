// Blocks that give themselves back.
#include "engine/kv/block_pool.h"

#include <cassert>
#include <iterator>
#include <utility>

#include "fmt/format.h"

namespace emptor::engine {

Block::Block(Block&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), id_(other.id_) {}

Block& Block::operator=(Block&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(id_, other.id_);
  return *this;
}

Block::~Block() {
  if (pool_ != nullptr) pool_->Free(id_);
}

BlockPool::BlockPool(int capacity) : capacity_(capacity) {
  assert(capacity >= 0);
  free_.reserve(static_cast<size_t>(capacity));
  for (int id = capacity - 1; id >= 0; --id) free_.push_back(BlockId{id});
}

BlockPool::~BlockPool() { assert(free_count() == capacity_); }

absl::StatusOr<std::vector<Block>> BlockPool::Allocate(int n) {
  assert(n >= 0);
  if (n > free_count()) {
    return absl::ResourceExhaustedError(
        fmt::format("kv: {} blocks wanted, {} of {} free", n, free_count(), capacity_));
  }
  std::vector<Block> blocks;
  blocks.reserve(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    blocks.push_back(Block(this, free_.back()));
    free_.pop_back();
  }
  return blocks;
}

void BlockTable::Append(std::vector<Block> blocks) {
  for (Block& block : blocks) {
    ids_.push_back(block.id());
    blocks_.push_back(std::move(block));
  }
}

void BlockTable::Clear() {
  blocks_.clear();
  ids_.clear();
}

}  // namespace emptor::engine
