// Products of floating-point weights with AVX-512.
#include <cassert>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"

namespace emptor::engine::avx512 {
namespace {

// Bytes of weights that stay in the second-level cache while all tokens pass.
constexpr int64_t kRowTileBytes = 256 << 10;
constexpr int kTileRows = 4, kTileTokens = 3;

struct LoadF32 {
  using Element = float;
  static __m512 Sixteen(const float* p) { return _mm512_loadu_ps(p); }
  static __m512 Eight(const float* p) { return _mm512_maskz_loadu_ps(0xff, p); }
  static float One(const float* p) { return *p; }
};

struct LoadF16 {
  using Element = Half;
  static __m512 Sixteen(const Half* p) { return LoadHalves(p); }
  static __m512 Eight(const Half* p) { return LoadHalves(p, 0xff); }
  static float One(const Half* p) { return _cvtsh_ss(*p); }
};

struct LoadBF16 {
  using Element = BFloat16;
  static __m512 Widen(__m256i values) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(values), 16));
  }
  static __m512 Sixteen(const BFloat16* p) {
    return Widen(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static __m512 Eight(const BFloat16* p) { return Widen(_mm256_maskz_loadu_epi16(0xff, p)); }
  static float One(const BFloat16* p) {
    return _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128(int{*p} << 16)));
  }
};

/// `Rows` rows against `Tokens` tokens; any k. Two sums of 16 lanes for each pair, added up in the
/// order of the AVX2 variant's four of 8: the two variants agree to the bit, so that an answer does
/// not depend on which of them a machine has. The order does not depend on the tile.
template <typename Load, int Rows, int Tokens>
void Tile(const MatmulArgs& args, int64_t row, int64_t token) {
  const int64_t k = args.weights.cols;
  const auto* weights = reinterpret_cast<const typename Load::Element*>(args.weights.row(row));
  const float* x = args.x + token * k;
  __m512 sums[2][Rows][Tokens];
  for (auto& half : sums) {
    for (auto& of_row : half) {
      for (__m512& sum : of_row) sum = _mm512_setzero_ps();
    }
  }
  int64_t i = 0;
  for (; i + 32 <= k; i += 32) {
    for (int half = 0; half < 2; ++half) {
      __m512 w[Rows];
      for (int r = 0; r < Rows; ++r) w[r] = Load::Sixteen(weights + r * k + i + 16 * half);
      for (int t = 0; t < Tokens; ++t) {
        const __m512 v = _mm512_loadu_ps(x + t * k + i + 16 * half);
        for (int r = 0; r < Rows; ++r) {
          sums[half][r][t] = _mm512_fmadd_ps(w[r], v, sums[half][r][t]);
        }
      }
    }
  }
  for (; i + 8 <= k; i += 8) {
    for (int r = 0; r < Rows; ++r) {
      const __m512 w = Load::Eight(weights + r * k + i);
      for (int t = 0; t < Tokens; ++t) {
        sums[0][r][t] = _mm512_fmadd_ps(w, LoadF32::Eight(x + t * k + i), sums[0][r][t]);
      }
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int t = 0; t < Tokens; ++t) {
      float tail = 0;
      for (int64_t j = i; j < k; ++j) tail += Load::One(weights + r * k + j) * x[t * k + j];
      args.out[(token + t) * args.out_stride + row + r] =
          SumLanes(_mm512_add_ps(sums[0][r][t], sums[1][r][t])) + tail;
    }
  }
}

/// Rows [begin, end) against Tokens tokens.
template <typename Load, int Tokens>
void Rows(const MatmulArgs& args, int64_t begin, int64_t end, int64_t token) {
  int64_t row = begin;
  for (; row + kTileRows <= end; row += kTileRows) Tile<Load, kTileRows, Tokens>(args, row, token);
  for (; row < end; ++row) Tile<Load, 1, Tokens>(args, row, token);
}

template <typename Load>
void MatmulFloat(const MatmulArgs& args) {
  const auto row_bytes = static_cast<int64_t>(args.weights.row_bytes());
  int64_t rows_at_once = kRowTileBytes / row_bytes / kTileRows * kTileRows;
  if (rows_at_once < kTileRows) rows_at_once = kTileRows;
  for (int64_t begin = args.row_begin; begin < args.row_end; begin += rows_at_once) {
    const int64_t end = begin + rows_at_once < args.row_end ? begin + rows_at_once : args.row_end;
    int64_t token = 0;
    for (; token + kTileTokens <= args.tokens; token += kTileTokens) {
      Rows<Load, kTileTokens>(args, begin, end, token);
    }
    for (; token < args.tokens; ++token) Rows<Load, 1>(args, begin, end, token);
  }
}

void MatmulPacked(const MatmulArgs& args) {
  switch (args.weights.type) {
    case DType::kQ4_0:
      return MatmulPackedQ4(args);
    case DType::kQ4_K:
      return MatmulPackedQ4K(args);
    case DType::kQ6_K:
      return MatmulPackedQ6K(args);
    case DType::kQ8_0:
      return MatmulPackedQ8(args);
    default:
      return MatmulPackedPlanes(args);
  }
}

}  // namespace

void Matmul(const MatmulArgs& args) {
  assert(args.row_end <= args.weights.rows);
  switch (args.weights.type) {
    case DType::kF32:
      return MatmulFloat<LoadF32>(args);
    case DType::kF16:
      return MatmulFloat<LoadF16>(args);
    case DType::kBF16:
      return MatmulFloat<LoadBF16>(args);
    default:
      return args.weights.packed != nullptr ? MatmulPacked(args) : kAvx2Kernels.matmul(args);
  }
}

void MatmulBf16(const MatmulArgs& args) {
  const bool pairs = args.weights.type == DType::kBF16 && args.weights.packed != nullptr;
  return pairs ? MatmulPackedBf16(args) : Matmul(args);
}

}  // namespace emptor::engine::avx512
