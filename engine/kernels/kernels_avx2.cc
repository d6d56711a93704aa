// AVX2 variants of the element-wise operations.
#include <cassert>
#include <cmath>

#include "engine/kernels/avx2_kernels.h"
#include "engine/kernels/avx2_math.h"

namespace emptor::engine::avx2 {
namespace {

void QuantizeBlock(const float* x, int8_t* q, float* scale) {
  const __m256 no_sign = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  __m256 v[4];
  __m256 largest = _mm256_setzero_ps();
  for (int i = 0; i < 4; ++i) {
    v[i] = _mm256_loadu_ps(x + 8 * i);
    // The NaN-safe order: max keeps its second operand when the first is NaN.
    largest = _mm256_max_ps(_mm256_and_ps(v[i], no_sign), largest);
  }
  const float top = MaxLanes(largest);
  *scale = top / 127.0f;
  const __m256 inverse = _mm256_set1_ps(top > 0 ? 127.0f / top : 0.0f);
  const __m256 limit = _mm256_set1_ps(127.0f);
  __m256i integers[4];
  for (int i = 0; i < 4; ++i) {
    const __m256 scaled = _mm256_round_ps(_mm256_mul_ps(v[i], inverse),
                                          _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m256 fits = _mm256_cmp_ps(_mm256_and_ps(scaled, no_sign), limit, _CMP_LE_OQ);
    integers[i] = _mm256_cvtps_epi32(_mm256_and_ps(scaled, fits));
  }
  const __m256i low = _mm256_packs_epi32(integers[0], integers[1]);
  const __m256i high = _mm256_packs_epi32(integers[2], integers[3]);
  // The packs work per 128-bit half; this puts the groups of four back in order.
  const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high),
                                                    _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(q), bytes);
}

}  // namespace

void Quantize(const float* x, int64_t n, int8_t* q, float* scale) {
  assert(n % kQuantBlock == 0);
  for (int64_t i = 0; i < n; i += kQuantBlock) QuantizeBlock(x + i, q + i, scale + i / kQuantBlock);
}

void RmsNorm(const float* x, const float* gain, int64_t n, float epsilon, float* out) {
  __m256 squares = _mm256_setzero_ps();
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m256 v = _mm256_loadu_ps(x + i);
    squares = _mm256_fmadd_ps(v, v, squares);
  }
  float total = SumLanes(squares);
  for (; i < n; ++i) total += x[i] * x[i];
  const float scale = 1.0f / std::sqrt(total / static_cast<float>(n) + epsilon);
  const __m256 scales = _mm256_set1_ps(scale);
  for (i = 0; i + 8 <= n; i += 8) {
    const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(x + i), scales);
    _mm256_storeu_ps(out + i, _mm256_mul_ps(scaled, _mm256_loadu_ps(gain + i)));
  }
  for (; i < n; ++i) out[i] = x[i] * scale * gain[i];
}

void SiluMultiply(const float* gate, const float* up, int64_t n, float* out) {
  const __m256 one = _mm256_set1_ps(1.0f);
  for (int64_t i = 0; i < n; i += 8) {
    const __m256i lanes = FirstLanes(n - i < 8 ? n - i : 8);
    const __m256 g = _mm256_maskload_ps(gate + i, lanes);
    const __m256 u = _mm256_maskload_ps(up + i, lanes);
    const __m256 divisor = _mm256_add_ps(one, Exp(_mm256_sub_ps(_mm256_setzero_ps(), g)));
    _mm256_maskstore_ps(out + i, lanes, _mm256_mul_ps(_mm256_div_ps(g, divisor), u));
  }
}

void Add(const float* y, int64_t n, float* x) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    _mm256_storeu_ps(x + i, _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
  }
  for (; i < n; ++i) x[i] += y[i];
}

void ToHalf(const float* x, int64_t n, Half* out) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i halves =
        _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), halves);
  }
  for (; i < n; ++i) {
    out[i] = static_cast<Half>(_cvtss_sh(x[i], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
}

uint64_t SumWords(const std::byte* data, size_t bytes) {
  __m256i sums[4] = {};
  for (size_t i = 0; i < bytes; i += 128) {
    for (size_t j = 0; j < 4; ++j) {
      const auto* words = reinterpret_cast<const __m256i*>(data + i + 32 * j);
      sums[j] = _mm256_add_epi64(sums[j], _mm256_loadu_si256(words));
    }
  }
  const __m256i sum =
      _mm256_add_epi64(_mm256_add_epi64(sums[0], sums[1]), _mm256_add_epi64(sums[2], sums[3]));
  alignas(32) uint64_t words[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(words), sum);
  return words[0] + words[1] + words[2] + words[3];
}

}  // namespace emptor::engine::avx2
