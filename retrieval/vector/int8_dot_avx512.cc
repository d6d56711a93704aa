// The AVX-512 VNNI variant; compiled with -mavx512f -mavx512bw -mavx512vnni.
#include <immintrin.h>

#include "retrieval/vector/int8_dot.h"

namespace emptor::retrieval {

void Int8DotAvx512Vnni(const uint8_t* rows, size_t count, const int8_t* query, size_t n,
                       int32_t* out) {
  const size_t whole = n / 128 * 128;
  for (size_t r = 0; r < count; ++r) {
    const uint8_t* row = rows + r * n;
    __m512i even = _mm512_setzero_si512();
    __m512i odd = _mm512_setzero_si512();
    size_t i = 0;
    for (; i < whole; i += 128) {
      even = _mm512_dpbusd_epi32(even, _mm512_loadu_si512(row + i), _mm512_loadu_si512(query + i));
      odd = _mm512_dpbusd_epi32(odd, _mm512_loadu_si512(row + i + 64),
                                _mm512_loadu_si512(query + i + 64));
    }
    for (; i < n; i += 64) {
      const __mmask64 tail = n - i >= 64 ? ~__mmask64{0} : (__mmask64{1} << (n - i)) - 1;
      even = _mm512_dpbusd_epi32(even, _mm512_maskz_loadu_epi8(tail, row + i),
                                 _mm512_maskz_loadu_epi8(tail, query + i));
    }
    out[r] = _mm512_reduce_add_epi32(_mm512_add_epi32(even, odd));
  }
}

}  // namespace emptor::retrieval
