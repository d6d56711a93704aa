// AVX-512 variants of the element-wise operations.
#include <immintrin.h>

#include <cassert>
#include <cmath>

#include "engine/kernels/avx512_kernels.h"
#include "engine/kernels/avx512_math.h"

namespace emptor::engine::avx512 {
namespace {

void QuantizeBlock(const float* x, int8_t* q, float* scale) {
  const __m512 v[2] = {_mm512_loadu_ps(x), _mm512_loadu_ps(x + 16)};
  // The NaN-safe order: max keeps its second operand when the first is NaN.
  __m512 largest = _mm512_max_ps(_mm512_abs_ps(v[0]), _mm512_setzero_ps());
  largest = _mm512_max_ps(_mm512_abs_ps(v[1]), largest);
  const float top = _mm512_reduce_max_ps(largest);
  *scale = top / 127.0f;
  const __m512 inverse = _mm512_set1_ps(top > 0 ? 127.0f / top : 0.0f);
  for (int i = 0; i < 2; ++i) {
    const __m512 scaled = _mm512_roundscale_ps(_mm512_mul_ps(v[i], inverse),
                                               _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __mmask16 fits =
        _mm512_cmp_ps_mask(_mm512_abs_ps(scaled), _mm512_set1_ps(127.0f), _CMP_LE_OQ);
    const __m512i integers = _mm512_maskz_cvtps_epi32(fits, scaled);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(q + 16 * i), _mm512_cvtepi32_epi8(integers));
  }
}

}  // namespace

void Quantize(const float* x, int64_t n, int8_t* q, float* scale) {
  assert(n % kQuantBlock == 0);
  for (int64_t i = 0; i < n; i += kQuantBlock) QuantizeBlock(x + i, q + i, scale + i / kQuantBlock);
}

void OffsetTerms(const int8_t* q, int64_t n, int32_t* terms) {
  assert(n % kQuantBlock == 0);
  const __m256i factor = _mm256_set1_epi8(static_cast<char>(128));
  for (int64_t i = 0; i < n; i += kQuantBlock) {
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q + i));
    const __m256i eight = _mm256_dpbusd_epi32(_mm256_setzero_si256(), factor, block);
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    terms[i / kQuantBlock] = -_mm_cvtsi128_si32(sum);
  }
}

void RmsNorm(const float* x, const float* gain, int64_t n, float epsilon, float* out) {
  __m512 squares = _mm512_setzero_ps();
  for (int64_t i = 0; i < n; i += 16) {
    const __m512 v = _mm512_maskz_loadu_ps(FirstLanes(n - i), x + i);
    squares = _mm512_fmadd_ps(v, v, squares);
  }
  const float mean = SumLanes(squares) / static_cast<float>(n);
  const __m512 scale = _mm512_set1_ps(1.0f / std::sqrt(mean + epsilon));
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m512 scaled = _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, x + i), scale);
    _mm512_mask_storeu_ps(out + i, lanes,
                          _mm512_mul_ps(scaled, _mm512_maskz_loadu_ps(lanes, gain + i)));
  }
}

void SiluMultiply(const float* gate, const float* up, int64_t n, float* out) {
  const __m512 one = _mm512_set1_ps(1.0f);
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m512 g = _mm512_maskz_loadu_ps(lanes, gate + i);
    const __m512 u = _mm512_maskz_loadu_ps(lanes, up + i);
    const __m512 divisor = _mm512_add_ps(one, Exp(_mm512_sub_ps(_mm512_setzero_ps(), g)));
    _mm512_mask_storeu_ps(out + i, lanes, _mm512_mul_ps(_mm512_div_ps(g, divisor), u));
  }
}

void Add(const float* y, int64_t n, float* x) {
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m512 sum =
        _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, x + i), _mm512_maskz_loadu_ps(lanes, y + i));
    _mm512_mask_storeu_ps(x + i, lanes, sum);
  }
}

/// Eight pairs at a time: x * cosine, less or plus the other of the pair * sine.
void Rope(const float* cosine, const float* sine, int pairs, float* x) {
  const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  for (int i = 0; i < pairs; i += 8) {
    const __mmask16 angles = FirstLanes(pairs - i < 8 ? pairs - i : 8);
    const __mmask16 lanes = FirstLanes(int64_t{2} * (pairs - i));
    const __m512 c = _mm512_permutexvar_ps(twice, _mm512_maskz_loadu_ps(angles, cosine + i));
    const __m512 s = _mm512_permutexvar_ps(twice, _mm512_maskz_loadu_ps(angles, sine + i));
    const __m512 v = _mm512_maskz_loadu_ps(lanes, x + 2 * i);
    const __m512 crossed = _mm512_mul_ps(_mm512_permute_ps(v, 0xb1), s);
    _mm512_mask_storeu_ps(x + 2 * i, lanes, _mm512_fmaddsub_ps(v, c, crossed));
  }
}

/// Sixteen pairs at a time.
void RopeNeox(const float* cosine, const float* sine, int pairs, float* x) {
  for (int i = 0; i < pairs; i += 16) {
    const __mmask16 lanes = FirstLanes(pairs - i);
    const __m512 c = _mm512_maskz_loadu_ps(lanes, cosine + i);
    const __m512 s = _mm512_maskz_loadu_ps(lanes, sine + i);
    const __m512 a = _mm512_maskz_loadu_ps(lanes, x + i);
    const __m512 b = _mm512_maskz_loadu_ps(lanes, x + pairs + i);
    _mm512_mask_storeu_ps(x + i, lanes, _mm512_fmsub_ps(a, c, _mm512_mul_ps(b, s)));
    _mm512_mask_storeu_ps(x + pairs + i, lanes, _mm512_fmadd_ps(a, s, _mm512_mul_ps(b, c)));
  }
}

void ToHalf(const float* x, int64_t n, Half* out) {
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = FirstLanes(n - i);
    const __m256i halves = _mm512_cvtps_ph(_mm512_maskz_loadu_ps(lanes, x + i),
                                           _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_mask_storeu_epi16(out + i, lanes, halves);
  }
}

uint64_t SumWords(const std::byte* data, size_t bytes) {
  assert(bytes % 512 == 0);
  __m512i sums[8] = {};
  for (size_t i = 0; i < bytes; i += 512) {
    for (size_t j = 0; j < 8; ++j) {
      sums[j] = _mm512_add_epi64(sums[j], _mm512_loadu_si512(data + i + 64 * j));
    }
  }
  for (size_t j = 1; j < 8; ++j) sums[0] = _mm512_add_epi64(sums[0], sums[j]);
  alignas(64) uint64_t words[8];
  _mm512_store_si512(words, sums[0]);
  uint64_t sum = 0;  // unsigned: it may wrap
  for (const uint64_t word : words) sum += word;
  return sum;
}

}  // namespace emptor::engine::avx512
