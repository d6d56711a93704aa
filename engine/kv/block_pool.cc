// Reference counting and eviction.
#include "engine/kv/block_pool.h"

#include <cassert>
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

BlockPool::BlockPool(int capacity)
    : ref_counts_(static_cast<size_t>(capacity)),
      keeps_(static_cast<size_t>(capacity)),
      links_(static_cast<size_t>(capacity) + 1) {
  assert(capacity >= 0);
  links_.back() = {capacity, capacity};
  free_.reserve(static_cast<size_t>(capacity));
  for (int id = capacity - 1; id >= 0; --id) free_.push_back(BlockId{id});
}

BlockPool::~BlockPool() { assert(free_count() == capacity()); }

absl::StatusOr<std::vector<Block>> BlockPool::Allocate(int n) {
  assert(n >= 0);
  if (n > free_count()) {
    return absl::ResourceExhaustedError(
        fmt::format("kv: {} blocks wanted, {} of {} free", n, free_count(), capacity()));
  }
  std::vector<Block> blocks;
  blocks.reserve(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    const BlockId id = TakeOne();
    ref_counts_[static_cast<size_t>(id)] = 1;
    blocks.push_back(Block(this, id));
  }
  return blocks;
}

BlockId BlockPool::TakeOne() {
  if (!free_.empty()) {
    const BlockId id = free_.back();
    free_.pop_back();
    return id;
  }
  const BlockId id{links_.back().next};
  RemoveKept(id);
  keeps_[static_cast<size_t>(id)] = false;
  if (on_evict_) on_evict_(id);
  return id;
}

Block BlockPool::Share(BlockId id) {
  const auto at = static_cast<size_t>(id);
  assert(ref_counts_[at] > 0 || keeps_[at]);
  if (ref_counts_[at]++ == 0) RemoveKept(id);
  return Block(this, id);
}

void BlockPool::Keep(BlockId id) {
  assert(ref_counts_[static_cast<size_t>(id)] > 0);
  keeps_[static_cast<size_t>(id)] = true;
}

void BlockPool::Free(BlockId id) {
  const auto at = static_cast<size_t>(id);
  assert(ref_counts_[at] > 0);
  if (--ref_counts_[at] > 0) return;
  if (keeps_[at]) {
    PushKept(id);
  } else {
    free_.push_back(id);
  }
}

void BlockPool::PushKept(BlockId id) {
  const auto at = static_cast<int32_t>(id);
  const auto head = static_cast<int32_t>(capacity());
  Link& ring = links_.back();
  links_[static_cast<size_t>(at)] = {ring.previous, head};
  links_[static_cast<size_t>(ring.previous)].next = at;
  ring.previous = at;
  ++kept_count_;
}

void BlockPool::RemoveKept(BlockId id) {
  const Link link = links_[static_cast<size_t>(id)];
  links_[static_cast<size_t>(link.previous)].next = link.next;
  links_[static_cast<size_t>(link.next)].previous = link.previous;
  --kept_count_;
}

void BlockTable::Append(Block block) {
  ids_.push_back(block.id());
  blocks_.push_back(std::move(block));
}

void BlockTable::Append(std::vector<Block> blocks) {
  for (Block& block : blocks) Append(std::move(block));
}

void BlockTable::Replace(int i, Block block) {
  ids_[static_cast<size_t>(i)] = block.id();
  blocks_[static_cast<size_t>(i)] = std::move(block);
}

void BlockTable::Truncate(int size) {
  assert(size >= 0 && size <= this->size());
  while (this->size() > size) {
    blocks_.pop_back();
    ids_.pop_back();
  }
}

}  // namespace emptor::engine
