// Matrix product with AVX2: each weight row is read once for several tokens at a time.
#include <algorithm>
#include <cassert>

#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx2_math.h"

namespace emptor::engine::avx2 {
namespace {

// Bytes of weights that stay in the first-level cache while all tokens pass.
constexpr int64_t kRowTileBytes = 16 << 10;

struct LoadF32 {
  using Element = float;
  static __m256 Eight(const float* p) { return _mm256_loadu_ps(p); }
  static float One(const float* p) { return *p; }
};

struct LoadF16 {
  using Element = Half;
  static __m256 Eight(const Half* p) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static float One(const Half* p) { return _cvtsh_ss(*p); }
};

struct LoadBF16 {
  using Element = BFloat16;
  static __m256 Eight(const BFloat16* p) {
    const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(values), 16));
  }
  static float One(const BFloat16* p) {
    return _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128(int{*p} << 16)));
  }
};

/// One row of floating-point weights against `Tile` tokens; any k. Four sums for each token, of
/// every fourth vector.
template <typename Load, int Tile>
void RowFloat(const MatmulArgs& args, int64_t row, int64_t token) {
  const int64_t k = args.weights.cols;
  const auto* weights = reinterpret_cast<const typename Load::Element*>(args.weights.row(row));
  const float* x = args.x + token * k;
  __m256 sums[4][Tile];
  for (auto& quarter : sums) {
    for (__m256& sum : quarter) sum = _mm256_setzero_ps();
  }
  const auto add_eight = [&](int64_t i, __m256* sum) {
    const __m256 w = Load::Eight(weights + i);
    for (int t = 0; t < Tile; ++t) {
      sum[t] = _mm256_fmadd_ps(w, _mm256_loadu_ps(x + t * k + i), sum[t]);
    }
  };
  int64_t i = 0;
  for (; i + 32 <= k; i += 32) {
    for (int quarter = 0; quarter < 4; ++quarter) add_eight(i + 8 * quarter, sums[quarter]);
  }
  for (; i + 8 <= k; i += 8) add_eight(i, sums[0]);
  float tails[Tile] = {};
  for (; i < k; ++i) {
    const float w = Load::One(weights + i);
    for (int t = 0; t < Tile; ++t) tails[t] += w * x[t * k + i];
  }
  for (int t = 0; t < Tile; ++t) {
    const __m256 sum =
        _mm256_add_ps(_mm256_add_ps(sums[0][t], sums[2][t]), _mm256_add_ps(sums[1][t], sums[3][t]));
    args.out[(token + t) * args.out_stride + row] = SumLanes(sum) + tails[t];
  }
}

/// One weight row against four tokens (floats: twice two, since they take more registers) or one.
void FourTokens(const MatmulArgs& args, int64_t row, int64_t token) {
  switch (args.weights.type) {
    case DType::kF32:
      RowFloat<LoadF32, 2>(args, row, token);
      return RowFloat<LoadF32, 2>(args, row, token + 2);
    case DType::kF16:
      RowFloat<LoadF16, 2>(args, row, token);
      return RowFloat<LoadF16, 2>(args, row, token + 2);
    case DType::kBF16:
      RowFloat<LoadBF16, 2>(args, row, token);
      return RowFloat<LoadBF16, 2>(args, row, token + 2);
    default:
      return RowQuantised(args, row, token, 4);
  }
}

void OneToken(const MatmulArgs& args, int64_t row, int64_t token) {
  switch (args.weights.type) {
    case DType::kF32:
      return RowFloat<LoadF32, 1>(args, row, token);
    case DType::kF16:
      return RowFloat<LoadF16, 1>(args, row, token);
    case DType::kBF16:
      return RowFloat<LoadBF16, 1>(args, row, token);
    default:
      return RowQuantised(args, row, token, 1);
  }
}

}  // namespace

void Matmul(const MatmulArgs& args) {
  assert(args.row_end <= args.weights.rows);
  const auto row_bytes = static_cast<int64_t>(args.weights.row_bytes());
  const int64_t rows_at_once = std::max<int64_t>(1, kRowTileBytes / row_bytes);
  for (int64_t begin = args.row_begin; begin < args.row_end; begin += rows_at_once) {
    const int64_t end = std::min(begin + rows_at_once, args.row_end);
    int64_t token = 0;
    for (; token + 4 <= args.tokens; token += 4) {
      for (int64_t r = begin; r < end; ++r) FourTokens(args, r, token);
    }
    for (; token < args.tokens; ++token) {
      for (int64_t r = begin; r < end; ++r) OneToken(args, r, token);
    }
  }
}

}  // namespace emptor::engine::avx2
