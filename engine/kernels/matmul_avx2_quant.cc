// Rows of quantised weights, as stored, against int8 activations with AVX2.
#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx2_math.h"
#include "engine/tensor/quant_block.h"

namespace emptor::engine::avx2 {
namespace {

/// 32 weights: value = scale * quant - least. Lanes 0-3 of the scales serve the first 16 elements.
struct Block {
  __m256i quants;
  __m256 scales;
  float least;
};

inline __m256i LoadBytes(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

/// 16 bytes of nibbles: the lower ones, then the upper ones.
inline __m256i LoadNibbles(const void* p) {
  const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(p));
  const __m256i both = _mm256_set_m128i(_mm_srli_epi16(bytes, 4), bytes);
  return _mm256_and_si256(both, _mm256_set1_epi8(15));
}

/// The lower or the upper nibbles of 32 bytes.
inline __m256i LoadNibbles(const void* p, bool upper) {
  const __m256i bytes = LoadBytes(p);
  return _mm256_and_si256(upper ? _mm256_srli_epi16(bytes, 4) : bytes, _mm256_set1_epi8(15));
}

struct Q8 {
  static constexpr bool kHasLeast = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ8& block = reinterpret_cast<const BlockQ8*>(row)[b];
    return {LoadBytes(block.quants.data()), _mm256_set1_ps(_cvtsh_ss(block.scale)), 0};
  }
};

struct Q4 {
  static constexpr bool kHasLeast = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ4& block = reinterpret_cast<const BlockQ4*>(row)[b];
    return {_mm256_sub_epi8(LoadNibbles(block.nibbles.data()), _mm256_set1_epi8(8)),
            _mm256_set1_ps(_cvtsh_ss(block.scale)), 0};
  }
};

struct Q4K {
  static constexpr bool kHasLeast = true;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ4K& block = reinterpret_cast<const BlockQ4K*>(row)[b / 8];
    const SixBitPair pair = ReadSixBits(block, static_cast<int>(b % 8));
    return {LoadNibbles(block.nibbles.data() + b % 8 / 2 * kQuantBlock, b % 2 != 0),
            _mm256_set1_ps(_cvtsh_ss(block.scale) * static_cast<float>(pair.scale)),
            _cvtsh_ss(block.least) * static_cast<float>(pair.least)};
  }
};

struct Q6K {
  static constexpr bool kHasLeast = false;
  static Block Load(const std::byte* row, int64_t b) {
    const BlockQ6K& block = reinterpret_cast<const BlockQ6K*>(row)[b / 8];
    const auto sub = static_cast<int>(b % 8);
    const int of_half = sub % 4;
    const __m256i low =
        LoadNibbles(block.low.data() + sub / 4 * 64 + of_half % 2 * 32, of_half >= 2);
    const __m256i bits = _mm256_srl_epi16(LoadBytes(block.high.data() + sub / 4 * 32),
                                          _mm_cvtsi32_si128(2 * of_half));
    const __m256i high = _mm256_slli_epi16(_mm256_and_si256(bits, _mm256_set1_epi8(3)), 4);
    const float scale = _cvtsh_ss(block.scale);
    const int8_t* scales = block.scales.data() + 2 * sub;
    return {_mm256_sub_epi8(_mm256_or_si256(low, high), _mm256_set1_epi8(32)),
            _mm256_set_m128(_mm_set1_ps(scale * static_cast<float>(scales[1])),
                            _mm_set1_ps(scale * static_cast<float>(scales[0]))),
            0};
  }
};

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
      if (!Type::kHasLeast) continue;
      const __m256i ones = _mm256_set1_epi8(1);
      const __m256i total = DotBlock(ones, ones, x);
      const __m256 least = _mm256_mul_ps(_mm256_set1_ps(block.least), x_scale);
      sum[t] = _mm256_fnmadd_ps(_mm256_cvtepi32_ps(total), least, sum[t]);
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
    default:
      return RowOf<Q8>(args, row, token, tokens);
  }
}

}  // namespace emptor::engine::avx2
