// Small AVX-512 building blocks; included by the _avx512*.cc files alone, which have the flags.
// These files use no templates of floating-point code from elsewhere: the linker keeps one copy of
// such a function for the whole program, and it must not be one that plain machines cannot run.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "engine/tensor/dtype.h"

namespace emptor::engine::avx512 {

/// Mask of the first `n` of 16 lanes; all of them from 16 on.
inline __mmask16 FirstLanes(int64_t n) {
  return n >= 16 ? __mmask16{0xffff} : static_cast<__mmask16>((1u << n) - 1);
}

/// Sum of the lanes, always in the same order.
inline float SumLanes(__m512 v) {
  const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

inline __m512 LoadHalves(const Half* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline __m512 LoadHalves(const Half* p, __mmask16 lanes) {
  return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(lanes, p));
}

/// e^x to 2 ulp for x in [-87.3, 88.3]; below it 0, above it e^88.3. NaN stays NaN.
/// Range reduction by ln 2 in two parts, then a polynomial of degree 6 (Cephes expf).
inline __m512 Exp(__m512 x) {
  const __mmask16 too_small = _mm512_cmp_ps_mask(x, _mm512_set1_ps(-87.3f), _CMP_LT_OQ);
  // min keeps its second operand when one is NaN.
  const __m512 clamped =
      _mm512_max_ps(_mm512_set1_ps(-87.3f), _mm512_min_ps(_mm512_set1_ps(88.3f), x));
  const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(clamped, _mm512_set1_ps(1.44269504f)),
                                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), clamped);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), r);
  __m512 p = _mm512_set1_ps(1.9875691500e-4f);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.3981999507e-3f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(8.3334519073e-3f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(4.1665795894e-2f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.6666665459e-1f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(5.0000001201e-1f));
  p = _mm512_fmadd_ps(p, _mm512_mul_ps(r, r), _mm512_add_ps(r, _mm512_set1_ps(1.0f)));
  return _mm512_mask_blend_ps(too_small, _mm512_scalef_ps(p, n), _mm512_setzero_ps());
}

/// Lane i of the result is the sum of the lanes of rows[i], in an order that is the same for every
/// i. A butterfly: 45 operations where 16 single sums take some 130.
inline __m512 SumSixteen(const __m512* rows) {
  __m512 pairs[8], fours[4], eights[2];
  for (int i = 0; i < 8; ++i) {
    pairs[i] = _mm512_add_ps(_mm512_unpacklo_ps(rows[2 * i], rows[2 * i + 1]),
                             _mm512_unpackhi_ps(rows[2 * i], rows[2 * i + 1]));
  }
  for (int i = 0; i < 4; ++i) {
    const __m512d a = _mm512_castps_pd(pairs[2 * i]);
    const __m512d b = _mm512_castps_pd(pairs[2 * i + 1]);
    fours[i] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)),
                             _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
  }
  for (int i = 0; i < 2; ++i) {
    eights[i] = _mm512_add_ps(_mm512_shuffle_f32x4(fours[2 * i], fours[2 * i + 1], 0x44),
                              _mm512_shuffle_f32x4(fours[2 * i], fours[2 * i + 1], 0xee));
  }
  return _mm512_add_ps(_mm512_shuffle_f32x4(eights[0], eights[1], 0x88),
                       _mm512_shuffle_f32x4(eights[0], eights[1], 0xdd));
}

}  // namespace emptor::engine::avx512
