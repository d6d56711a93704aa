// The operations of a BERT that a decoder has no use for, in a plain and in vector variants.
#pragma once

#include <cstdint>

#include "engine/kernels/isa.h"

namespace emptor::engine {

/// out[r, c] = sum_i a[r, i] * b[i, c], row-major f32; rows of each matrix lie a stride apart.
/// What an element gets does not depend, to the bit, on the number of rows and columns. out may not
/// overlap a or b.
struct GemmArgs {
  const float* a = nullptr;
  int64_t a_stride = 0;
  const float* b = nullptr;
  int64_t b_stride = 0;
  float* out = nullptr;
  int64_t out_stride = 0;
  int rows = 0, inner = 0, columns = 0;
};

/// One instruction set's functions. All are pure in their arguments and safe from any thread. What
/// an element or a row gets does not depend, to the bit, on what else is asked for with it.
struct EncoderKernels {
  /// out[i] = (x[i] - mean) / sqrt(variance + epsilon) * gain[i] + bias[i]. out may be x.
  /// Source: Ba, Kiros, Hinton 2016, arXiv:1607.06450.
  void (*layer_norm)(const float* x, const float* gain, const float* bias, int64_t n, float epsilon,
                     float* out);

  /// x[i] = x[i] Phi(x[i]), Phi the normal distribution's. Within 2e-7 |x[i]| of the exact value.
  /// Source: Hendrycks and Gimpel 2016, arXiv:1606.08415; the vector variants take the
  /// complementary error function from Abramowitz and Stegun 1964, 7.1.26.
  void (*gelu)(int64_t n, float* x);

  /// x[i] = e^(scale x[i]) / sum of these. scale > 0, n > 0.
  void (*softmax)(float scale, int64_t n, float* x);

  /// Small matrices that stay in the cache: those of a head of attention.
  void (*gemm)(const GemmArgs& args);
};

/// REQUIRES: `isa` is available here.
const EncoderKernels& EncoderKernelsFor(Isa isa);

}  // namespace emptor::engine
