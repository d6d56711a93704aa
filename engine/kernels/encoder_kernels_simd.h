// The vector variants, for the tables in encoder_kernels.cc; use EncoderKernelsFor.
#pragma once

#include <cstdint>

#include "engine/kernels/encoder_kernels.h"

namespace emptor::engine {

namespace avx2 {
void LayerNorm(const float* x, const float* gain, const float* bias, int64_t n, float epsilon,
               float* out);
void Gelu(int64_t n, float* x);
void Softmax(float scale, int64_t n, float* x);
void Multiply(const GemmArgs& args);
}  // namespace avx2

namespace avx512 {
void LayerNorm(const float* x, const float* gain, const float* bias, int64_t n, float epsilon,
               float* out);
void Gelu(int64_t n, float* x);
void Softmax(float scale, int64_t n, float* x);
void Multiply(const GemmArgs& args);
}  // namespace avx512

}  // namespace emptor::engine
