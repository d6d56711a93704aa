// The functions of the AVX2 variant, for the table in kernels.cc; use KernelsFor.
#pragma once

#include "engine/kernels/kernels.h"

namespace emptor::engine::avx2 {

void Matmul(const MatmulArgs& args);
/// A part of it: one row of quantised weights, as stored, against `tokens` tokens, 1 or 4.
void RowQuantised(const MatmulArgs& args, int64_t row, int64_t token, int tokens);
void AddLowRank(const LowRankArgs& args);

void Quantize(const float* x, int64_t n, int8_t* q, float* scale);
void RmsNorm(const float* x, const float* gain, int64_t n, float epsilon, float* out);
void SiluMultiply(const float* gate, const float* up, int64_t n, float* out);
void Add(const float* y, int64_t n, float* x);
void ToHalf(const float* x, int64_t n, Half* out);
void Attention(const AttentionArgs& args);
uint64_t SumWords(const std::byte* data, size_t bytes);

}  // namespace emptor::engine::avx2
