// The register-only loop of vdpbf16ps.
#include <immintrin.h>

#include "engine/kernels/peak.h"

namespace emptor::engine::peak {
namespace {

constexpr int kChains = 16;

float PairProducts(int64_t iterations) {
  __m512 sums[kChains];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  __m512i a = _mm512_set1_epi32(0x3f003f00), b = _mm512_set1_epi32(0x3e803e80);  // 0.5, 0.25
  asm volatile("" : "+v"(a), "+v"(b));
  const auto pairs = [](__m512i words) { return reinterpret_cast<__m512bh>(words); };
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_dpbf16_ps(sums[i], pairs(a), pairs(b));
  }
  for (int i = 1; i < kChains; ++i) sums[0] = _mm512_add_ps(sums[0], sums[i]);
  return _mm512_cvtss_f32(sums[0]);
}

}  // namespace

const PeakLoop kBf16Avx512{2 * 32 * kChains, &PairProducts};

}  // namespace emptor::engine::peak
