// The AVX2 variant. Compiled with -mavx2 and without -mfma, so that it rounds as the reference
// does.
#include <immintrin.h>

#include "retrieval/vector/bit_code_block.h"

namespace emptor::retrieval {
namespace {

/// Sums of 16 rows, one group of a pair in each half of the register. Bytes are added as 16-bit
/// numbers: `both` adds a byte together with the next higher one, `odd` that higher one alone.
struct Sums {
  __m256i both = _mm256_setzero_si256();  // even row + 256 * odd row
  __m256i odd = _mm256_setzero_si256();

  void Add(__m256i steps) {
    both = _mm256_add_epi16(both, steps);
    odd = _mm256_add_epi16(odd, _mm256_srli_epi16(steps, 8));
  }
  /// [16] the sums of both groups, in row order.
  __m256i Total() const {
    const __m256i even = _mm256_sub_epi16(both, _mm256_slli_epi16(odd, 8));
    const auto halves = [](__m256i x) {
      return _mm_add_epi16(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    };
    const __m128i evens = halves(even), odds = halves(odd);
    return _mm256_set_m128i(_mm_unpackhi_epi16(evens, odds), _mm_unpacklo_epi16(evens, odds));
  }
};

uint32_t Reached8(__m128i sums, const BitCodeQuery& query, const float* factors) {
  const __m256 steps = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(sums));
  const __m256 product =
      _mm256_add_ps(_mm256_mul_ps(steps, _mm256_set1_ps(query.step)), _mm256_set1_ps(query.offset));
  const __m256 score = _mm256_mul_ps(product, _mm256_loadu_ps(factors));
  const __m256 reached = _mm256_cmp_ps(score, _mm256_set1_ps(query.min_score), _CMP_GE_OQ);
  return static_cast<uint32_t>(_mm256_movemask_ps(reached));
}

uint32_t Reached16(__m256i sums, const BitCodeQuery& query, const float* factors) {
  return Reached8(_mm256_castsi256_si128(sums), query, factors) |
         Reached8(_mm256_extracti128_si256(sums, 1), query, factors + 8) << 8;
}

}  // namespace

uint32_t BitCodeBlockAvx2(const uint8_t* codes, const BitCodeQuery& query, const float* factors) {
  const __m256i low_half = _mm256_set1_epi8(15);
  Sums first, second;  // rows 0..15, 16..31
  for (size_t pair = 0; pair < query.groups / 2; ++pair) {
    const __m256i rows =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + pair * kBlockRows));
    const __m256i tables =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(query.tables + pair * 32));
    first.Add(_mm256_shuffle_epi8(tables, _mm256_and_si256(rows, low_half)));
    second.Add(_mm256_shuffle_epi8(tables, _mm256_and_si256(_mm256_srli_epi16(rows, 4), low_half)));
  }
  return Reached16(first.Total(), query, factors) | Reached16(second.Total(), query, factors + 16)
                                                        << 16;
}

}  // namespace emptor::retrieval
