// The operations of a transformer, in a plain and in a vector variant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/kernels/isa.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// Rows of weights against rows of activations, for one range of weight rows:
///   out[t * out_stride + r] = sum_k weights[r, k] * x[t, k]   for r in [row_begin, row_end)
/// The sum of one (r, t) is always taken in the same order, whatever the range and however many
/// tokens go together: batched and single decoding agree to the bit within one instruction set.
struct MatmulArgs {
  TensorView weights;                // [rows, k]
  const float* x = nullptr;          // [tokens, k] f32; used with weights of floating point
  const BFloat16* x_bf16 = nullptr;  // [tokens, k]; BF16 weights, where Kernels::rounds_to_bf16
  const int8_t* q = nullptr;       // [tokens, k] quantised activations; used with quantised weights
  const float* q_scale = nullptr;  // [tokens, k / 32]
  const int32_t* q_offset = nullptr;  // [tokens, k / 32], of offset_terms; used with packed weights
  int tokens = 0;
  int64_t row_begin = 0, row_end = 0;
  float* out = nullptr;
  int64_t out_stride = 0;
};

/// Grouped-query attention of consecutive tokens of one sequence against one KV head, over paged
/// keys and values:
///   out[t, h, :] = sum_p softmax_p(scale * q[t, h, :] . K[p, :]) V[p, :]
/// over the positions p up to that of token t, the last `window` of them if there is a window.
/// Position p lies in block p / block_tokens. What a token gets does not depend, to the bit, on the
/// tokens that are asked for with it, nor on block_tokens.
struct AttentionArgs {
  const float* q = nullptr;  // head h of token t at q + t * stride + h * head_dim
  float* out = nullptr;      // alike; may not alias q
  int64_t stride = 0;
  int tokens = 0;    // at least 1
  int position = 0;  // of the first token
  int window = 0;    // 0: all positions
  int group = 0, head_dim = 0;
  int block_tokens = 0;
  /// Per block: keys [head_dim, block_tokens] and values [block_tokens, head_dim] of this KV head,
  /// in f16, or in int8 behind their scales, [block_tokens] f32. Keys lie transposed, so that a
  /// vector of one element of many keys is one load.
  KvType kv_type = KvType::kF16;
  std::span<const std::byte*const> keys, values;
  float scale = 1;
  float* scratch = nullptr;  // AttentionScratchFloats of tokens * group rows
};

/// Adds a low-rank product to outputs that hold another one, for one range of groups:
///   out[t * out_stride + r] += sum_j h[t, j] * b[r, j]   for the outputs r of [group_begin,
///   group_end)
/// A group is kLowRankGroup outputs. What an output gets does not depend, to the bit, on the range
/// or on the tokens that go together.
struct LowRankArgs {
  const float* b =
      nullptr;  // [groups, rank, kLowRankGroup], the outputs that are missing are zeros
  const float* h = nullptr;  // [tokens, rank]
  int rank = 0;
  int tokens = 0;
  int64_t outputs = 0;
  int64_t group_begin = 0, group_end = 0;
  float* out = nullptr;
  int64_t out_stride = 0;
};
inline constexpr int kLowRankGroup = 16;

/// Positions whose keys and values are taken at a time.
inline constexpr int kAttentionBlock = 64;

/// A head's elements filled up to whole vectors.
inline int PaddedHeadDim(int head_dim) { return (head_dim + 15) / 16 * 16; }

/// Floats of scratch for so many rows of queries: keys and values of a block, then for each row its
/// query, its sums, its weights and three numbers.
inline int64_t AttentionScratchFloats(int rows, int head_dim) {
  const int64_t padded = PaddedHeadDim(head_dim);
  return 2 * padded * kAttentionBlock + rows * (2 * padded + kAttentionBlock + 3);
}

/// One instruction set's functions. All are pure in their arguments and safe from any thread.
/// REQUIRES everywhere: shapes as said; checked by assert in debug builds only.
struct Kernels {
  Isa isa;
  /// Quantised matrices are better packed (packed_weights.h): matmul takes them either way.
  bool packs_weights = false;
  /// So are BF16 matrices; packed ones meet x_bf16 in place of x.
  bool rounds_to_bf16 = false;

  bool Packs(DType type) const {
    return type == DType::kBF16 ? rounds_to_bf16 : packs_weights && IsQuantized(type);
  }

  void (*matmul)(const MatmulArgs& args);
  void (*add_low_rank)(const LowRankArgs& args);

  /// x[n] to int8 with one scale per 32: q = round(x / scale), scale = max|x| / 127.
  /// n is a multiple of 32. Equal bits in every variant.
  void (*quantize)(const float* x, int64_t n, int8_t* q, float* scale);

  /// terms[b] = -128 * (sum of q's block b of 32): what takes the offset of packed weights back out
  /// of a product. n is a multiple of 32. Exact.
  void (*offset_terms)(const int8_t* q, int64_t n, int32_t* terms);

  /// out[i] = x[i] / sqrt(mean(x^2) + epsilon) * gain[i]. out may be x.
  /// Source: Zhang and Sennrich 2019, arXiv:1910.07467.
  void (*rms_norm)(const float* x, const float* gain, int64_t n, float epsilon, float* out);

  /// out[i] = silu(gate[i]) * up[i], silu(x) = x / (1 + e^-x). out may be gate.
  /// Source: Shazeer 2020, arXiv:2002.05202.
  void (*silu_multiply)(const float* gate, const float* up, int64_t n, float* out);

  /// x[i] += y[i].
  void (*add)(const float* y, int64_t n, float* x);

  /// Rotates the pairs (2i, 2i + 1) of the first 2 * pairs elements of x by the angle of pair i.
  /// Source: Su et al. 2021, arXiv:2104.09864, in the adjacent-pair layout of GGUF.
  void (*rope)(const float* cosine, const float* sine, int pairs, float* x);
  /// The same of the pairs (i, i + pairs), the layout of GPT-NeoX and of Hugging Face's weights.
  void (*rope_neox)(const float* cosine, const float* sine, int pairs, float* x);

  /// Rounds to f16, to nearest even.
  void (*to_half)(const float* x, int64_t n, Half* out);
  /// Rounds to bf16, to nearest even.
  void (*to_bf16)(const float* x, int64_t n, BFloat16* out);

  /// Row of any type, packed or not, to f32.
  void (*dequantize)(const TensorView& weights, int64_t row, float* out);

  void (*attention)(const AttentionArgs& args);

  /// Sum of 64-bit words modulo 2^64, as fast as this set reads memory: measures its bandwidth.
  /// `bytes` is a multiple of 512.
  uint64_t (*sum_words)(const std::byte* data, size_t bytes);
};

/// REQUIRES: `isa` is available here.
const Kernels& KernelsFor(Isa isa);

/// The tables of the variants; use KernelsFor.
extern const Kernels kReferenceKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
extern const Kernels kAvx512Bf16Kernels;

}  // namespace emptor::engine
