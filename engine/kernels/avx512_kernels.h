// The functions of the AVX-512 variants, for the tables in kernels.cc; use KernelsFor.
#pragma once

#include "engine/kernels/kernels.h"

namespace emptor::engine::avx512 {

/// Any type; quantised weights that are not packed go to the AVX2 variant.
void Matmul(const MatmulArgs& args);
/// The same with packed BF16 weights against activations rounded to bf16.
void MatmulBf16(const MatmulArgs& args);
/// Parts of the above.
void MatmulPackedQ8(const MatmulArgs& args);
void MatmulPackedQ4(const MatmulArgs& args);
void MatmulPackedQ4K(const MatmulArgs& args);
void MatmulPackedQ6K(const MatmulArgs& args);
void MatmulPackedPlanes(const MatmulArgs& args);  // the other quantised types
void MatmulPackedBf16(const MatmulArgs& args);

void AddLowRank(const LowRankArgs& args);

void Quantize(const float* x, int64_t n, int8_t* q, float* scale);
void OffsetTerms(const int8_t* q, int64_t n, int32_t* terms);
void RmsNorm(const float* x, const float* gain, int64_t n, float epsilon, float* out);
void SiluMultiply(const float* gate, const float* up, int64_t n, float* out);
void Add(const float* y, int64_t n, float* x);
void Rope(const float* cosine, const float* sine, int pairs, float* x);
void RopeNeox(const float* cosine, const float* sine, int pairs, float* x);
void ToHalf(const float* x, int64_t n, Half* out);
/// Needs AVX-512 BF16.
void ToBFloat16(const float* x, int64_t n, BFloat16* out);
void Attention(const AttentionArgs& args);
uint64_t SumWords(const std::byte* data, size_t bytes);

}  // namespace emptor::engine::avx512
