// Addresses inside KV memory.
#include "engine/kv/kv_cache.h"

#include <cassert>
#include <cstring>
#include <utility>

namespace emptor::engine {

size_t KvShape::BlockBytes() const {
  return static_cast<size_t>(layers) * 2 * static_cast<size_t>(kv_heads) *
         static_cast<size_t>(head_dim) * static_cast<size_t>(block_tokens) * sizeof(Half);
}

absl::StatusOr<KvCache> KvCache::Create(const KvShape& shape, int blocks) {
  absl::StatusOr<AlignedBuffer> memory =
      AlignedBuffer::Allocate(shape.BlockBytes() * static_cast<size_t>(blocks));
  if (!memory.ok()) return memory.status();
  KvCache cache;
  cache.shape_ = shape;
  cache.head_size_ = static_cast<size_t>(shape.head_dim) * static_cast<size_t>(shape.block_tokens);
  cache.values_offset_ = cache.head_size_ * static_cast<size_t>(shape.kv_heads);
  cache.block_size_ = shape.BlockBytes() / sizeof(Half);
  cache.memory_ = std::move(*memory);
  return cache;
}

Half* KvCache::At(int layer, BlockId block, int kv_head) {
  auto* base = reinterpret_cast<Half*>(memory_.data());
  return base + static_cast<size_t>(block) * block_size_ +
         static_cast<size_t>(layer) * 2 * values_offset_ +
         static_cast<size_t>(kv_head) * head_size_;
}

void KvCache::CopyBlock(BlockId from, BlockId to) {
  assert(from != to);
  std::memcpy(At(0, to, 0), At(0, from, 0), shape_.BlockBytes());
}

}  // namespace emptor::engine
