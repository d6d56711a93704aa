// AVX2 variants of an encoder's operations.
#include <cmath>

#include "engine/kernels/avx2_math.h"
#include "engine/kernels/encoder_kernels_simd.h"
#include "engine/kernels/gemm_simd.h"

namespace emptor::engine::avx2 {
namespace {

/// The lanes of x[i ..] that lie before n.
__m256i LanesAt(int64_t i, int64_t n) { return FirstLanes(n - i < 8 ? n - i : 8); }

/// Phi(x) = erfc(-x / sqrt 2) / 2, without a difference of near numbers for negative x.
__m256 NormalCdf(__m256 x) {
  const __m256 one = _mm256_set1_ps(1.0f);
  const __m256 no_sign = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  const __m256 z = _mm256_mul_ps(_mm256_and_ps(x, no_sign), _mm256_set1_ps(0.70710678f));
  const __m256 t = _mm256_div_ps(one, _mm256_fmadd_ps(z, _mm256_set1_ps(0.3275911f), one));
  __m256 p = _mm256_set1_ps(1.061405429f);
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-1.453152027f));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(1.421413741f));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-0.284496736f));
  p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.254829592f));
  p = _mm256_mul_ps(_mm256_mul_ps(p, t), _mm256_set1_ps(0.5f));
  const __m256 tail =
      _mm256_mul_ps(p, Exp(_mm256_sub_ps(_mm256_setzero_ps(), _mm256_mul_ps(z, z))));
  const __m256 negative = _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ);
  return _mm256_blendv_ps(_mm256_sub_ps(one, tail), tail, negative);
}

struct Lanes {
  using Vector = __m256;
  using Mask = __m256i;
  static constexpr int kWidth = 8, kRows = 5;
  static Mask FirstOf(int n) { return FirstLanes(n); }
  static Vector Zero() { return _mm256_setzero_ps(); }
  static Vector Broadcast(float x) { return _mm256_set1_ps(x); }
  static Vector Load(const float* p) { return _mm256_loadu_ps(p); }
  static Vector Load(const float* p, Mask mask) { return _mm256_maskload_ps(p, mask); }
  static void Store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void Store(float* p, Vector v, Mask mask) { _mm256_maskstore_ps(p, mask, v); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
};

}  // namespace

void Multiply(const GemmArgs& args) { Gemm<Lanes>::Run(args); }

void LayerNorm(const float* x, const float* gain, const float* bias, int64_t n, float epsilon,
               float* out) {
  __m256 sum = _mm256_setzero_ps();
  for (int64_t i = 0; i < n; i += 8) {
    sum = _mm256_add_ps(sum, _mm256_maskload_ps(x + i, LanesAt(i, n)));
  }
  const __m256 mean = _mm256_set1_ps(SumLanes(sum) / static_cast<float>(n));
  __m256 squares = _mm256_setzero_ps();
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i lanes = LanesAt(i, n);
    const __m256 all = _mm256_sub_ps(_mm256_maskload_ps(x + i, lanes), mean);
    const __m256 d = _mm256_and_ps(all, _mm256_castsi256_ps(lanes));
    squares = _mm256_fmadd_ps(d, d, squares);
  }
  const float variance = SumLanes(squares) / static_cast<float>(n);
  const __m256 scale = _mm256_set1_ps(1.0f / std::sqrt(variance + epsilon));
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i lanes = LanesAt(i, n);
    const __m256 d = _mm256_sub_ps(_mm256_maskload_ps(x + i, lanes), mean);
    const __m256 scaled =
        _mm256_mul_ps(_mm256_mul_ps(d, scale), _mm256_maskload_ps(gain + i, lanes));
    _mm256_maskstore_ps(out + i, lanes, _mm256_add_ps(scaled, _mm256_maskload_ps(bias + i, lanes)));
  }
}

void Gelu(int64_t n, float* x) {
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i lanes = LanesAt(i, n);
    const __m256 v = _mm256_maskload_ps(x + i, lanes);
    _mm256_maskstore_ps(x + i, lanes, _mm256_mul_ps(v, NormalCdf(v)));
  }
}

void Softmax(float scale, int64_t n, float* x) {
  __m256 largest = _mm256_set1_ps(x[0]);
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i lanes = LanesAt(i, n);
    const __m256 v =
        _mm256_blendv_ps(largest, _mm256_maskload_ps(x + i, lanes), _mm256_castsi256_ps(lanes));
    largest = _mm256_max_ps(v, largest);
  }
  const __m256 most = _mm256_set1_ps(MaxLanes(largest));
  const __m256 scales = _mm256_set1_ps(scale);
  __m256 sums = _mm256_setzero_ps();
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i lanes = LanesAt(i, n);
    const __m256 shifted = _mm256_sub_ps(_mm256_maskload_ps(x + i, lanes), most);
    const __m256 power =
        _mm256_and_ps(Exp(_mm256_mul_ps(shifted, scales)), _mm256_castsi256_ps(lanes));
    _mm256_maskstore_ps(x + i, lanes, power);
    sums = _mm256_add_ps(sums, power);
  }
  const __m256 inverse = _mm256_set1_ps(1.0f / SumLanes(sums));
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i lanes = LanesAt(i, n);
    _mm256_maskstore_ps(x + i, lanes, _mm256_mul_ps(_mm256_maskload_ps(x + i, lanes), inverse));
  }
}

}  // namespace emptor::engine::avx2
