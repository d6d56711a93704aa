// The inner product of two vectors of 8-bit codes, for building graphs over them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emptor::retrieval {

/// Sum over j < n of (low[j] + step[j] * a[j]) * (low[j] + step[j] * b[j]), in f32.
using Sq8DotFunction = float (*)(const uint8_t* a, const uint8_t* b, const float* low,
                                 const float* step, size_t n);

float Sq8DotReference(const uint8_t* a, const uint8_t* b, const float* low, const float* step,
                      size_t n);
/// Agrees with the reference within n * 2^-23 * the sum of the absolute products.
/// REQUIRES: the processor has AVX2 and FMA.
float Sq8DotAvx2(const uint8_t* a, const uint8_t* b, const float* low, const float* step, size_t n);

bool HasSq8DotAvx2();
/// The fastest variant for this processor, chosen once.
Sq8DotFunction SelectSq8Dot();

}  // namespace emptor::retrieval
