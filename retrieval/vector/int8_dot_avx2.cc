// The AVX2 variant; compiled with -mavx2. Products are widened to 16 bits before they are added:
// the saturating multiply-add of bytes would lose some.
#include <immintrin.h>

#include "retrieval/vector/int8_dot.h"

namespace emptor::retrieval {
namespace {

/// Sixteen products, added in pairs.
__m256i Products16(const uint8_t* row, const int8_t* query) {
  const __m256i codes =
      _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
  const __m256i weights =
      _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(query)));
  return _mm256_madd_epi16(codes, weights);
}

int32_t SumOf(__m256i sums) {
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  return _mm_cvtsi128_si32(half);
}

}  // namespace

void Int8DotAvx2(const uint8_t* rows, size_t count, const int8_t* query, size_t n, int32_t* out) {
  for (size_t r = 0; r < count; ++r) {
    const uint8_t* row = rows + r * n;
    __m256i even = _mm256_setzero_si256();
    __m256i odd = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
      even = _mm256_add_epi32(even, Products16(row + i, query + i));
      odd = _mm256_add_epi32(odd, Products16(row + i + 16, query + i + 16));
    }
    for (; i + 16 <= n; i += 16) even = _mm256_add_epi32(even, Products16(row + i, query + i));
    int32_t sum = SumOf(_mm256_add_epi32(even, odd));
    for (; i < n; ++i) sum += int32_t{row[i]} * query[i];
    out[r] = sum;
  }
}

}  // namespace emptor::retrieval
