// Every instruction set's encoder operations against the exact values.
#include "engine/kernels/encoder_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/engine/kernels/kernels_fixture.h"

namespace emptor::engine {
namespace {

class EncoderKernelsTest : public ::testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!HasIsa(GetParam())) GTEST_SKIP() << "this machine has no " << IsaName(GetParam());
  }
  const EncoderKernels& kernels_ = EncoderKernelsFor(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Isas, EncoderKernelsTest, ::testing::ValuesIn(kAllIsas),
                         [](const auto& tested) { return std::string(IsaName(tested.param)); });

TEST_P(EncoderKernelsTest, GeluIsExactToAFewUnits) {
  std::vector<float> x = {0, -0.0f, 1e-30f, -1e-30f, 40, -40, 1e30f, -1e30f};
  for (float v = -12; v <= 12; v += 0.0037f) x.push_back(v);
  std::vector<float> out = x;
  kernels_.gelu(std::ssize(out), out.data());
  for (size_t i = 0; i < x.size(); ++i) {
    const double v = x[i];
    const double want = 0.5 * v * std::erfc(-v / std::sqrt(2.0));
    ASSERT_NEAR(out[i], want, 4e-7 * std::fabs(v)) << v;
  }
}

TEST_P(EncoderKernelsTest, LayerNormTakesMeanAndVarianceOut) {
  for (const size_t n : {1u, 7u, 8u, 31u, 384u, 1024u}) {
    const std::vector<float> x = RandomFloats(n, 2, n, 3);
    const std::vector<float> gain = RandomFloats(n, 0.2f, n + 1, 1), bias = RandomFloats(n, 1, 5);
    std::vector<float> out(n);
    kernels_.layer_norm(x.data(), gain.data(), bias.data(), std::ssize(x), 1e-12f, out.data());
    double mean = 0, variance = 0;
    for (const float v : x) mean += v / static_cast<double>(n);
    for (const float v : x) variance += (v - mean) * (v - mean) / static_cast<double>(n);
    for (size_t i = 0; i < n && n > 1; ++i) {
      const double want = (x[i] - mean) / std::sqrt(variance + 1e-12) * gain[i] + bias[i];
      ASSERT_NEAR(out[i], want, 2e-5) << n;
    }
    std::vector<float> same = x;
    kernels_.layer_norm(same.data(), gain.data(), bias.data(), std::ssize(x), 1e-12f, same.data());
    EXPECT_EQ(same, out);
  }
}

TEST_P(EncoderKernelsTest, GemmIsTheProductWhateverTheShape) {
  constexpr int kMaxRows = 19, kMaxInner = 33, kMaxColumns = 70, kStride = 75;
  const std::vector<float> a = RandomFloats(kMaxRows * kStride, 1, 1);
  const std::vector<float> b = RandomFloats(kMaxInner * kStride, 1, 2);
  for (const int rows : {1, 5, 8, 19}) {
    for (const int columns : {1, 8, 17, 32, 70}) {
      std::vector<float> out(static_cast<size_t>(rows * kStride), -7.0f);
      kernels_.gemm({.a = a.data(),
                     .a_stride = kStride,
                     .b = b.data(),
                     .b_stride = kStride,
                     .out = out.data(),
                     .out_stride = kStride,
                     .rows = rows,
                     .inner = kMaxInner,
                     .columns = columns});
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < kStride; ++c) {
          double want = 0;
          for (int i = 0; i < kMaxInner; ++i) {
            want += static_cast<double>(a[static_cast<size_t>(r * kStride + i)]) *
                    static_cast<double>(b[static_cast<size_t>(i * kStride + c)]);
          }
          const float found = out[static_cast<size_t>(r * kStride + c)];
          ASSERT_NEAR(found, c < columns ? want : -7.0, 2e-5) << rows << "x" << columns;
        }
      }
    }
  }
  static_assert(kMaxColumns <= kStride);
}

TEST_P(EncoderKernelsTest, SoftmaxSumsToOne) {
  for (const size_t n : {1u, 3u, 8u, 17u, 200u}) {
    std::vector<float> x = RandomFloats(n, 20, n, -50);
    x[n / 2] = 900;  // e^900 is no float
    const std::vector<float> from = x;
    kernels_.softmax(0.125f, std::ssize(x), x.data());
    double sum = 0, want_sum = 0;
    for (const float v : from) want_sum += std::exp((static_cast<double>(v) - 900) * 0.125);
    for (size_t i = 0; i < n; ++i) {
      sum += x[i];
      ASSERT_NEAR(x[i], std::exp((static_cast<double>(from[i]) - 900) * 0.125) / want_sum, 1e-6);
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST_P(EncoderKernelsTest, NothingIsWrittenBehindTheEnd) {
  for (int64_t n = 1; n < 40; ++n) {
    std::vector<float> x(64, 0.5f);
    kernels_.gelu(n, x.data());
    kernels_.softmax(1, n, x.data());
    const std::vector<float> ones(64, 1);
    kernels_.layer_norm(x.data(), ones.data(), ones.data(), n, 1e-5f, x.data());
    EXPECT_TRUE(std::all_of(x.begin() + n, x.end(), [](float v) { return v == 0.5f; })) << n;
  }
}

}  // namespace
}  // namespace emptor::engine
