// The plain variants, and the choice among all at run time.
#include "engine/kernels/encoder_kernels.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/encoder_kernels_simd.h"

namespace emptor::engine {
namespace {

void LayerNorm(const float* x, const float* gain, const float* bias, int64_t n, float epsilon,
               float* out) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]);
  const double mean = sum / static_cast<double>(n);
  double squares = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double d = static_cast<double>(x[i]) - mean;
    squares += d * d;
  }
  const auto scale = static_cast<float>(
      1.0 / std::sqrt(squares / static_cast<double>(n) + static_cast<double>(epsilon)));
  const auto center = static_cast<float>(mean);
  for (int64_t i = 0; i < n; ++i) out[i] = (x[i] - center) * scale * gain[i] + bias[i];
}

void Gelu(int64_t n, float* x) {
  constexpr float kInverseRoot2 = 0.70710678f;
  for (int64_t i = 0; i < n; ++i) x[i] = 0.5f * x[i] * (1 + std::erf(x[i] * kInverseRoot2));
}

void Softmax(float scale, int64_t n, float* x) {
  const float most = *std::max_element(x, x + n);
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    x[i] = std::exp((x[i] - most) * scale);
    sum += x[i];
  }
  for (int64_t i = 0; i < n; ++i) x[i] /= sum;
}

void Multiply(const GemmArgs& args) {
  for (int r = 0; r < args.rows; ++r) {
    for (int c = 0; c < args.columns; ++c) {
      float sum = 0;
      for (int i = 0; i < args.inner; ++i) {
        sum += args.a[r * args.a_stride + i] * args.b[i * args.b_stride + c];
      }
      args.out[r * args.out_stride + c] = sum;
    }
  }
}

constexpr EncoderKernels kReference = {LayerNorm, Gelu, Softmax, Multiply};
constexpr EncoderKernels kAvx2 = {avx2::LayerNorm, avx2::Gelu, avx2::Softmax, avx2::Multiply};
constexpr EncoderKernels kAvx512 = {avx512::LayerNorm, avx512::Gelu, avx512::Softmax,
                                    avx512::Multiply};

}  // namespace

const EncoderKernels& EncoderKernelsFor(Isa isa) {
  switch (isa) {
    case Isa::kReference:
      return kReference;
    case Isa::kAvx2:
      return kAvx2;
    case Isa::kAvx512:
    case Isa::kAvx512Bf16:
      return kAvx512;
  }
  return kReference;
}

}  // namespace emptor::engine
