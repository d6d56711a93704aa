// Product of BF16 weights with AVX-512 BF16: pairs of products of bf16, summed in f32.
#include <cassert>
#include <cstring>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"

namespace emptor::engine::avx512 {
namespace {

constexpr int kTile = 4;  // rows, and tokens
constexpr int64_t kRowTileBytes = 32 << 10;

inline __m512bh AsPairs(__m512i bits) {
  __m512bh pairs;
  std::memcpy(&pairs, &bits, sizeof(pairs));
  return pairs;
}

inline __m512bh LoadPairs(const BFloat16* p) { return AsPairs(_mm512_loadu_si512(p)); }
inline __m512bh LoadPairs(const BFloat16* p, __mmask32 lanes) {
  return AsPairs(_mm512_maskz_loadu_epi16(lanes, p));
}

/// As the tile of the other floating-point types.
template <int Rows, int Tokens>
void Tile(const MatmulArgs& args, int64_t row, int64_t token) {
  const int64_t k = args.weights.cols;
  const auto* weights = reinterpret_cast<const BFloat16*>(args.weights.row(row));
  const BFloat16* x = args.x_bf16 + token * k;
  __m512 sums[Rows][Tokens];
  for (auto& of_row : sums) {
    for (__m512& sum : of_row) sum = _mm512_setzero_ps();
  }
  int64_t i = 0;
  for (; i + 32 <= k; i += 32) {
    __m512bh w[Rows];
    for (int r = 0; r < Rows; ++r) w[r] = LoadPairs(weights + r * k + i);
    for (int t = 0; t < Tokens; ++t) {
      const __m512bh v = LoadPairs(x + t * k + i);
      for (int r = 0; r < Rows; ++r) sums[r][t] = _mm512_dpbf16_ps(sums[r][t], w[r], v);
    }
  }
  if (i < k) {
    const __mmask32 lanes = (1u << (k - i)) - 1;
    for (int r = 0; r < Rows; ++r) {
      const __m512bh w = LoadPairs(weights + r * k + i, lanes);
      for (int t = 0; t < Tokens; ++t) {
        sums[r][t] = _mm512_dpbf16_ps(sums[r][t], w, LoadPairs(x + t * k + i, lanes));
      }
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int t = 0; t < Tokens; ++t) {
      args.out[(token + t) * args.out_stride + row + r] = SumLanes(sums[r][t]);
    }
  }
}

template <int Tokens>
void Rows(const MatmulArgs& args, int64_t begin, int64_t end, int64_t token) {
  int64_t row = begin;
  for (; row + kTile <= end; row += kTile) Tile<kTile, Tokens>(args, row, token);
  for (; row < end; ++row) Tile<1, Tokens>(args, row, token);
}

}  // namespace

void MatmulBf16Pairs(const MatmulArgs& args) {
  assert(args.row_end <= args.weights.rows && args.x_bf16 != nullptr);
  const auto row_bytes = static_cast<int64_t>(args.weights.row_bytes());
  int64_t rows_at_once = kRowTileBytes / row_bytes / kTile * kTile;
  if (rows_at_once < kTile) rows_at_once = kTile;
  for (int64_t begin = args.row_begin; begin < args.row_end; begin += rows_at_once) {
    const int64_t end = begin + rows_at_once < args.row_end ? begin + rows_at_once : args.row_end;
    int64_t token = 0;
    for (; token + kTile <= args.tokens; token += kTile) Rows<kTile>(args, begin, end, token);
    for (; token < args.tokens; ++token) Rows<1>(args, begin, end, token);
  }
}

void ToBFloat16(const float* x, int64_t n, BFloat16* out) {
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m256bh rounded = _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(lanes, x + i));
    __m256i bits;
    std::memcpy(&bits, &rounded, sizeof(bits));
    _mm256_mask_storeu_epi16(out + i, lanes, bits);
  }
}

}  // namespace emptor::engine::avx512
