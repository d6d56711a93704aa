// Register-only loops in AVX-512: fused multiply-adds and VNNI.
#include <immintrin.h>

#include "engine/kernels/peak.h"

namespace emptor::engine::peak {
namespace {

// Enough to hide the latency of two multiply-adds a cycle.
constexpr int kChains = 16;

float FusedMultiplyAdd(int64_t iterations) {
  __m512 sums[kChains];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(0.25f);
  asm volatile("" : "+v"(a), "+v"(b));
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(a, b, sums[i]);
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm512_add_ps(sums[0], sums[i]);
  return _mm512_cvtss_f32(sums[0]);
}

float ByteProducts(int64_t iterations) {
  __m512i sums[kChains];
  for (__m512i& sum : sums) sum = _mm512_setzero_si512();
  __m512i a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(-2);
  asm volatile("" : "+v"(a), "+v"(b));
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_dpbusd_epi32(sums[i], a, b);
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm512_add_epi32(sums[0], sums[i]);
  return static_cast<float>(_mm_cvtsi128_si32(_mm512_castsi512_si128(sums[0])));
}

}  // namespace

const PeakLoop kF32Avx512{2 * 16 * kChains, &FusedMultiplyAdd};
const PeakLoop kInt8Avx512{2 * 64 * kChains, &ByteProducts};

}  // namespace emptor::engine::peak
