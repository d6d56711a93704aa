// The attention of a step over paged keys and values: rotates, stores, attends.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/kv/kv_cache.h"
#include "engine/model/model.h"

namespace emptor::engine {

struct AttentionShape {
  int layers = 0, heads = 0, kv_heads = 0, head_dim = 0;
  int block_tokens = 16;
  KvType kv_type = KvType::kF16;

  int query_width() const { return heads * head_dim; }
  int kv_width() const { return kv_heads * head_dim; }
  KvShape kv() const { return {layers, kv_heads, head_dim, block_tokens, kv_type}; }
};

/// The angles of rotary embedding of each token of a step.
struct RotaryAngles {
  const float* cosine = nullptr;  // [tokens, pairs]
  const float* sine = nullptr;    // [tokens, pairs]
  int pairs = 0;                  // of the first elements of each head; 0: none is rotated
  bool neox = false;              // pair i is elements i and i + pairs, not 2i and 2i + 1
};

/// Keys and values of all layers, and grouped-query attention over them. The result of a token
/// does not depend, to the bit, on the other tokens of a step.
/// Source: Ainslie et al. 2023, arXiv:2305.13245; Kwon et al. 2023, arXiv:2309.06180 (pages).
/// Thread-safety: one caller at a time; it works on `threads`.
class PagedAttention {
 public:
  /// Keeps references. Call Allocate before anything else.
  PagedAttention(const AttentionShape& shape, const Kernels& kernels, ThreadPool& threads);

  /// Memory for `blocks` blocks. Errors: kResourceExhausted.
  absl::Status Allocate(int blocks);

  /// Block `to` holds the keys and values of block `from`. REQUIRES: they are not the same.
  void CopyBlock(BlockId from, BlockId to) { kv_.CopyBlock(from, to); }

  /// Begins a step. `steps` stays in use until the next one.
  void Place(std::span<const SequenceStep> steps);

  /// Rotates query [tokens, query_width] and key [tokens, kv_width] in place, and stores keys and
  /// values of the step's tokens in their blocks.
  void RotateAndStore(int layer, const RotaryAngles& angles, float* query, float* key,
                      const float* value);

  /// out[tokens, query_width] = softmax(scale * query . K) V for each token over the positions up
  /// to its own; with a `window` over the last `window` of them alone (0: all). May not alias.
  void Attend(int layer, const float* query, float scale, int window, float* out);

 private:
  struct TokenPlace {
    BlockId block;
    int row;  // in the block
  };
  /// Consecutive tokens of a sequence whose queries meet each page together.
  struct Tile {
    const SequenceStep* step;
    int row;       // of the first token among those of all steps
    int position;  // of the first token
    int tokens;
  };
  struct Scratch {
    std::vector<const std::byte*> keys, values;  // per block
    std::vector<float> floats;
  };
  /// Arguments of Attend.
  struct Request {
    int layer;
    const float* query;
    float scale;
    int window;
    float* out;
  };

  void StoreToken(int layer, int64_t row, const float* key, const float* value);
  void StoreHalves(const TokenPlace& place, const float* key, const float* value, std::byte* keys,
                   std::byte* values);
  void StoreBytes(const TokenPlace& place, const float* key, const float* value, std::byte* keys,
                  std::byte* values);
  void AttendTile(const Request& request, const Tile& tile, int kv_head, Scratch& scratch);
  int group() const { return shape_.heads / shape_.kv_heads; }

  AttentionShape shape_;
  const Kernels& kernels_;
  ThreadPool& threads_;
  KvCache kv_;
  // Of the current step.
  std::vector<TokenPlace> places_;  // of each token
  std::vector<Tile> tiles_;
  std::vector<Scratch> scratch_;  // one for each chunk of Attend
};

}  // namespace emptor::engine
