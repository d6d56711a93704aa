// The inner product that exact vector search is made of.
#pragma once

#include <cstddef>

namespace emptor::retrieval {

using DotProductFunction = float (*)(const float* a, const float* b, size_t n);

/// sum of a[i] * b[i], i < n, in index order. The oracle of the variant below.
float DotProductReference(const float* a, const float* b, size_t n);

/// The same in four chains of eight lanes; agrees within n * 2^-23 * sum |a[i] * b[i]|.
/// REQUIRES: the processor has AVX2 and FMA.
float DotProductAvx2(const float* a, const float* b, size_t n);

/// The fastest variant that this processor runs; looked up once.
DotProductFunction SelectDotProduct();

}  // namespace emptor::retrieval
