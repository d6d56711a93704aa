// The integer inner product that quantised vector search is made of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emptor::retrieval {

/// A row's codes lie in memory raised by this, 1..255, so that the processor's unsigned by signed
/// products apply.
inline constexpr int kCodeZero = 128;

/// out[r] = sum of rows[r * n + i] * query[i], i < n, for each r < count.
/// rows [count, n] codes raised by kCodeZero; query [n]; out [count]. Exact for n < 2^16.
/// Variants agree to the last bit.
using Int8DotFunction = void (*)(const uint8_t* rows, size_t count, const int8_t* query, size_t n,
                                 int32_t* out);

void Int8DotReference(const uint8_t* rows, size_t count, const int8_t* query, size_t n,
                      int32_t* out);
/// REQUIRES: the processor has AVX2.
void Int8DotAvx2(const uint8_t* rows, size_t count, const int8_t* query, size_t n, int32_t* out);
/// REQUIRES: the processor has AVX-512 F, BW and VNNI.
void Int8DotAvx512Vnni(const uint8_t* rows, size_t count, const int8_t* query, size_t n,
                       int32_t* out);

/// Whether this processor runs the variants.
bool HasInt8DotAvx2();
bool HasInt8DotAvx512Vnni();

/// The fastest variant that this processor runs; looked up once.
Int8DotFunction SelectInt8Dot();

}  // namespace emptor::retrieval
