// Register-only loops in AVX2 and FMA.
#include <immintrin.h>

#include "engine/kernels/peak.h"

namespace emptor::engine::peak {
namespace {

// Two multiply-adds a cycle of four cycles' latency want eight chains; ten leave some slack within
// the sixteen registers.
constexpr int kChains = 10;

float FusedMultiplyAdd(int64_t iterations) {
  __m256 sums[kChains];
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(0.25f);
  asm volatile("" : "+x"(a), "+x"(b));
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(a, b, sums[i]);
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm256_add_ps(sums[0], sums[i]);
  return _mm256_cvtss_f32(sums[0]);
}

/// One product of 32 pairs is a vpmaddubsw, a vpmaddwd and a vpaddd.
float ByteProducts(int64_t iterations) {
  __m256i sums[kChains];
  for (__m256i& sum : sums) sum = _mm256_setzero_si256();
  __m256i a = _mm256_set1_epi8(3), b = _mm256_set1_epi8(-2), ones = _mm256_set1_epi16(1);
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) {
      asm volatile("" : "+x"(a));  // recomputes each product
      const __m256i pairs = _mm256_maddubs_epi16(a, b);
      sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(pairs, ones));
    }
    asm volatile("" : "+x"(b), "+x"(ones));
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm256_add_epi32(sums[0], sums[i]);
  return static_cast<float>(_mm256_extract_epi32(sums[0], 0));
}

}  // namespace

const PeakLoop kF32Avx2{2 * 8 * kChains, &FusedMultiplyAdd};
const PeakLoop kInt8Avx2{2 * 32 * kChains, &ByteProducts};

}  // namespace emptor::engine::peak
