// The keys and values behind the blocks.
#pragma once

#include <cstddef>

#include "absl/status/statusor.h"
#include "engine/kv/block_pool.h"
#include "engine/tensor/aligned_buffer.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

struct KvShape {
  int layers = 0, kv_heads = 0, head_dim = 0;
  int block_tokens = 16;

  /// Keys and values of block_tokens tokens in every layer, in f16.
  size_t BlockBytes() const;
};

/// Keys and values in f16: half the memory and traffic of f32, and what the reference outputs were
/// made with. Laid out [block][layer][keys, values][kv_head], then [head_dim][block_tokens] for
/// keys and [block_tokens][head_dim] for values: as attention reads them. Memory that no sequence
/// has reached yet costs nothing. Thread-safety: that of a plain array.
class KvCache {
 public:
  /// Errors: kResourceExhausted.
  static absl::StatusOr<KvCache> Create(const KvShape& shape, int blocks);

  /// [head_dim, block_tokens] of one KV head.
  Half* Keys(int layer, BlockId block, int kv_head) { return At(layer, block, kv_head); }
  /// [block_tokens, head_dim] of one KV head.
  Half* Values(int layer, BlockId block, int kv_head) {
    return At(layer, block, kv_head) + values_offset_;
  }
  /// Keys and values of all layers. REQUIRES: two different blocks.
  void CopyBlock(BlockId from, BlockId to);
  const KvShape& shape() const { return shape_; }

 private:
  Half* At(int layer, BlockId block, int kv_head);

  KvShape shape_;
  size_t head_size_ = 0;      // elements of one head's keys in one block
  size_t values_offset_ = 0;  // from a head's keys to its values
  size_t block_size_ = 0;     // elements of one block
  AlignedBuffer memory_;
};

}  // namespace emptor::engine
