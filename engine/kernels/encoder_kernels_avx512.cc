// AVX-512 variants of an encoder's operations.
#include <immintrin.h>

#include <cmath>

#include "engine/kernels/avx512_math.h"
#include "engine/kernels/encoder_kernels_simd.h"
#include "engine/kernels/gemm_simd.h"

namespace emptor::engine::avx512 {
namespace {

/// Phi(x) = erfc(-x / sqrt 2) / 2, without a difference of near numbers for negative x.
__m512 NormalCdf(__m512 x) {
  const __m512 one = _mm512_set1_ps(1.0f);
  const __m512 z = _mm512_mul_ps(_mm512_abs_ps(x), _mm512_set1_ps(0.70710678f));
  const __m512 t = _mm512_div_ps(one, _mm512_fmadd_ps(z, _mm512_set1_ps(0.3275911f), one));
  __m512 p = _mm512_set1_ps(1.061405429f);
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(-1.453152027f));
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(1.421413741f));
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(-0.284496736f));
  p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(0.254829592f));
  p = _mm512_mul_ps(_mm512_mul_ps(p, t), _mm512_set1_ps(0.5f));
  const __m512 tail =
      _mm512_mul_ps(p, Exp(_mm512_sub_ps(_mm512_setzero_ps(), _mm512_mul_ps(z, z))));
  const __mmask16 negative = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ);
  return _mm512_mask_blend_ps(negative, _mm512_sub_ps(one, tail), tail);
}

struct Lanes {
  using Vector = __m512;
  using Mask = __mmask16;
  static constexpr int kWidth = 16, kRows = 8;
  static Mask FirstOf(int n) { return FirstLanes(n); }
  static Vector Zero() { return _mm512_setzero_ps(); }
  static Vector Broadcast(float x) { return _mm512_set1_ps(x); }
  static Vector Load(const float* p) { return _mm512_loadu_ps(p); }
  static Vector Load(const float* p, Mask mask) { return _mm512_maskz_loadu_ps(mask, p); }
  static void Store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static void Store(float* p, Vector v, Mask mask) { _mm512_mask_storeu_ps(p, mask, v); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
};

}  // namespace

void Multiply(const GemmArgs& args) { Gemm<Lanes>::Run(args); }

void LayerNorm(const float* x, const float* gain, const float* bias, int64_t n, float epsilon,
               float* out) {
  __m512 sum = _mm512_setzero_ps();
  for (int64_t i = 0; i < n; i += 16) {
    sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(FirstLanes(n - i), x + i));
  }
  const __m512 mean = _mm512_set1_ps(SumLanes(sum) / static_cast<float>(n));
  __m512 squares = _mm512_setzero_ps();
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m512 d = _mm512_maskz_sub_ps(lanes, _mm512_maskz_loadu_ps(lanes, x + i), mean);
    squares = _mm512_fmadd_ps(d, d, squares);
  }
  const float variance = SumLanes(squares) / static_cast<float>(n);
  const __m512 scale = _mm512_set1_ps(1.0f / std::sqrt(variance + epsilon));
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m512 d = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, x + i), mean);
    const __m512 scaled =
        _mm512_mul_ps(_mm512_mul_ps(d, scale), _mm512_maskz_loadu_ps(lanes, gain + i));
    _mm512_mask_storeu_ps(out + i, lanes,
                          _mm512_add_ps(scaled, _mm512_maskz_loadu_ps(lanes, bias + i)));
  }
}

void Gelu(int64_t n, float* x) {
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m512 v = _mm512_maskz_loadu_ps(lanes, x + i);
    _mm512_mask_storeu_ps(x + i, lanes, _mm512_mul_ps(v, NormalCdf(v)));
  }
}

void Softmax(float scale, int64_t n, float* x) {
  __m512 largest = _mm512_set1_ps(x[0]);
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    largest = _mm512_mask_max_ps(largest, lanes, _mm512_maskz_loadu_ps(lanes, x + i), largest);
  }
  const __m512 most = _mm512_set1_ps(_mm512_reduce_max_ps(largest));
  const __m512 scales = _mm512_set1_ps(scale);
  __m512 sums = _mm512_setzero_ps();
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m512 shifted = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, x + i), most);
    const __m512 power = Exp(_mm512_mul_ps(shifted, scales));
    _mm512_mask_storeu_ps(x + i, lanes, power);
    sums = _mm512_mask_add_ps(sums, lanes, sums, power);
  }
  const __m512 inverse = _mm512_set1_ps(1.0f / SumLanes(sums));
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    _mm512_mask_storeu_ps(x + i, lanes,
                          _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, x + i), inverse));
  }
}

}  // namespace emptor::engine::avx512
