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
  KvType type = KvType::kF16;

  /// Keys, or values, of one head in one block.
  size_t HeadBytes() const;
  /// Keys and values of block_tokens tokens in every layer.
  size_t BlockBytes() const;
};

/// Keys and values in f16: half the memory and traffic of f32, and what the reference outputs were
/// made with; or in int8, about half of that. Laid out [block][layer][keys, values][kv_head], then
/// as AttentionArgs says (kernels/kernels.h). Untouched memory costs
/// nothing. Thread-safety: that of a plain array.
class KvCache {
 public:
  /// Errors: kResourceExhausted.
  static absl::StatusOr<KvCache> Create(const KvShape& shape, int blocks);

  /// HeadBytes of one KV head.
  std::byte* Keys(int layer, BlockId block, int kv_head) { return At(layer, block, kv_head); }
  /// The same.
  std::byte* Values(int layer, BlockId block, int kv_head) {
    return At(layer, block, kv_head) + values_offset_;
  }
  /// Keys and values of all layers. REQUIRES: two different blocks.
  void CopyBlock(BlockId from, BlockId to);
  const KvShape& shape() const { return shape_; }

 private:
  std::byte* At(int layer, BlockId block, int kv_head);

  KvShape shape_;
  // Bytes.
  size_t head_size_ = 0;      // one head's keys in one block
  size_t values_offset_ = 0;  // from a head's keys to its values
  size_t block_size_ = 0;
  AlignedBuffer memory_;
};

}  // namespace emptor::engine
