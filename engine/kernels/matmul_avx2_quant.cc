// Rows of quantised weights, as stored, against int8 activations with AVX2.
#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx2_quant_blocks.h"

namespace emptor::engine::avx2 {
namespace {

/// Eight partial sums of 32 products of int8: |w| * (x with w's sign), so that the unsigned times
/// signed instruction serves. 128 * 127 * 2 < 2^15: no pair saturates.
inline __m256i DotBlock(__m256i magnitude, __m256i weights, __m256i x) {
  const __m256i pairs = _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(x, weights));
  return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

/// One weight row against `Tile` tokens. Even and odd blocks have sums of their own, so that one
/// addition need not wait for the last. The order of each sum does not depend on Tile.
template <typename Type, int Tile>
void Row(const MatmulArgs& args, int64_t row, int64_t token) {
  const int64_t k = args.weights.cols;
  const int64_t blocks = k / kQuantBlock;
  const std::byte* weights = args.weights.row(row);
  const int8_t* q = args.q + token * k;
  const float* scale = args.q_scale + token * blocks;
  __m256 sums[2][Tile];
  for (auto& half : sums) {
    for (__m256& sum : half) sum = _mm256_setzero_ps();
  }
  const auto add_block = [&](int64_t b, __m256* sum) {
    const Block block = Type::Load(weights, b);
    const __m256i magnitude = _mm256_abs_epi8(block.quants);
    for (int t = 0; t < Tile; ++t) {
      const __m256i x = LoadBytes(q + t * k + b * kQuantBlock);
      const __m256i dot = DotBlock(magnitude, block.quants, x);
      const __m256 x_scale = _mm256_broadcast_ss(scale + t * blocks + b);
      const __m256 both = _mm256_mul_ps(block.scales, x_scale);
      sum[t] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dot), both, sum[t]);
      if (!Type::kHasMin) continue;
      const __m256i ones = _mm256_set1_epi8(1);
      const __m256i total = DotBlock(ones, ones, x);
      const __m256 min = _mm256_mul_ps(block.min, x_scale);
      sum[t] = _mm256_fnmadd_ps(_mm256_cvtepi32_ps(total), min, sum[t]);
    }
  };
  int64_t b = 0;
  for (; b + 2 <= blocks; b += 2) {
    add_block(b, sums[0]);
    add_block(b + 1, sums[1]);
  }
  if (b < blocks) add_block(b, sums[0]);
  for (int t = 0; t < Tile; ++t) {
    args.out[(token + t) * args.out_stride + row] = SumLanes(_mm256_add_ps(sums[0][t], sums[1][t]));
  }
}

template <typename Type>
void RowOf(const MatmulArgs& args, int64_t row, int64_t token, int tokens) {
  return tokens == 4 ? Row<Type, 4>(args, row, token) : Row<Type, 1>(args, row, token);
}

}  // namespace

void RowQuantised(const MatmulArgs& args, int64_t row, int64_t token, int tokens) {
  switch (args.weights.type) {
    case DType::kQ4_0:
      return RowOf<Q4>(args, row, token, tokens);
    case DType::kQ4_K:
      return RowOf<Q4K>(args, row, token, tokens);
    case DType::kQ6_K:
      return RowOf<Q6K>(args, row, token, tokens);
    case DType::kQ4_1:
      return RowOf<Q4_1>(args, row, token, tokens);
    case DType::kQ5_0:
      return RowOf<Q5_0>(args, row, token, tokens);
    case DType::kQ5_1:
      return RowOf<Q5_1>(args, row, token, tokens);
    case DType::kQ2_K:
      return RowOf<Q2K>(args, row, token, tokens);
    case DType::kQ3_K:
      return RowOf<Q3K>(args, row, token, tokens);
    case DType::kQ5_K:
      return RowOf<Q5K>(args, row, token, tokens);
    case DType::kIQ4_NL:
      return RowOf<IQ4NL>(args, row, token, tokens);
    case DType::kIQ4_XS:
      return RowOf<IQ4XS>(args, row, token, tokens);
    default:
      return RowOf<Q8>(args, row, token, tokens);
  }
}

}  // namespace emptor::engine::avx2
