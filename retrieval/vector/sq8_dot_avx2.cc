// The AVX2 variant. Compiled with -mavx2 -mfma and called only where the processor has both.
#include <immintrin.h>

#include "retrieval/vector/sq8_dot.h"

namespace emptor::retrieval {
namespace {

/// Eight decoded values.
__m256 Decode8(const uint8_t* codes, __m256 low, __m256 step) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
  return _mm256_fmadd_ps(step, _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)), low);
}

float SumOf(__m256 sums) {
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
  half = _mm_add_ps(half, _mm_movehl_ps(half, half));
  half = _mm_add_ss(half, _mm_movehdup_ps(half));
  return _mm_cvtss_f32(half);
}

}  // namespace

float Sq8DotAvx2(const uint8_t* a, const uint8_t* b, const float* low, const float* step,
                 size_t n) {
  __m256 even = _mm256_setzero_ps(), odd = _mm256_setzero_ps();
  const auto add = [&](size_t j, __m256 sum) {
    const __m256 lows = _mm256_loadu_ps(low + j), steps = _mm256_loadu_ps(step + j);
    return _mm256_fmadd_ps(Decode8(a + j, lows, steps), Decode8(b + j, lows, steps), sum);
  };
  size_t j = 0;
  for (; j + 16 <= n; j += 16) {
    even = add(j, even);
    odd = add(j + 8, odd);
  }
  for (; j + 8 <= n; j += 8) even = add(j, even);
  return SumOf(_mm256_add_ps(even, odd)) + Sq8DotReference(a + j, b + j, low + j, step + j, n - j);
}

}  // namespace emptor::retrieval
