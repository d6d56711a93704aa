// Every instruction set against the plain kernels, on generated inputs.
#include "engine/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "engine/kernels/packed_weights.h"
#include "engine/loading/gguf_head.h"
#include "engine/tensor/aligned_buffer.h"
#include "engine/tensor/half.h"
#include "engine/tensor/quant_block.h"
#include "engine/tensor/store.h"
#include "gtest/gtest.h"
#include "tests/engine/kernels/kernels_fixture.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {
namespace {

constexpr double kEpsilon = 0x1p-24;  // half a unit in the last place of a float in [1, 2)

INSTANTIATE_TEST_SUITE_P(Isas, KernelsTest, ::testing::ValuesIn(kAllIsas),
                         [](const auto& tested) { return std::string(IsaName(tested.param)); });

/// A product on generated weights and activations, and for each output the sum of the absolute
/// values of its terms, which bounds its rounding error.
struct Problem {
  Problem(DType type, int64_t rows, int64_t cols, int count) : tokens(count) {
    bytes = testing::RandomMatrix(GgufTypeNumber(type), rows, cols, 1, 3);
    weights = {type, rows, cols, reinterpret_cast<const std::byte*>(bytes.data())};
    ReadValues();
    x = RandomFloats(static_cast<size_t>(count * cols), 1, 4);
    x_bf16.resize(x.size());
    kReferenceKernels.to_bf16(x.data(), std::ssize(x), x_bf16.data());
    q.resize(x.size());
    scale.resize(x.size() / kQuantBlock + 1);
    offset.resize(scale.size());
    if (!IsQuantized(type)) return;
    kReferenceKernels.quantize(x.data(), std::ssize(x), q.data(), scale.data());
    kReferenceKernels.offset_terms(q.data(), std::ssize(q), offset.data());
  }

  /// The same weights in the packed layout.
  void Pack() {
    packed = *AlignedBuffer::Allocate(PackedBytes(weights.type, weights.rows, weights.cols));
    PackWeights(weights, packed.data());
    weights.packed = packed.data();
  }

  std::vector<float> Run(const Kernels& kernels, int64_t begin, int64_t end, int first,
                         int count) const {
    std::vector<float> out(static_cast<size_t>(tokens * weights.rows));
    const int64_t k = weights.cols;
    kernels.matmul({.weights = weights,
                    .x = x.data() + first * k,
                    .x_bf16 = x_bf16.data() + first * k,
                    .q = q.data() + first * k,
                    .q_scale = scale.data() + first * (k / kQuantBlock),
                    .q_offset = offset.data() + first * (k / kQuantBlock),
                    .tokens = count,
                    .row_begin = begin,
                    .row_end = end,
                    .out = out.data() + first * weights.rows,
                    .out_stride = weights.rows});
    return out;
  }
  std::vector<float> RunAll(const Kernels& kernels) const {
    return Run(kernels, 0, weights.rows, 0, tokens);
  }

  /// Exact to double, with the sum of absolute terms; of activations rounded to bf16 when
  /// the kernels take them so.
  std::pair<double, double> Exact(int64_t row, int token, const Kernels& kernels) const {
    const float* w = values.data() + row * weights.cols;
    double sum = 0, magnitude = 0, term_min = 0;
    for (int64_t i = 0; i < weights.cols; ++i) {
      const auto at = static_cast<size_t>(token * weights.cols + i);
      double activation = double{x[at]};
      if (IsQuantized(weights.type)) activation = double{scale[at / kQuantBlock]} * q[at];
      if (weights.type == DType::kBF16 && kernels.rounds_to_bf16 && packed.size() > 0) {
        activation = double{BFloat16ToFloat(x_bf16[at])};
      }
      const double term = double{w[i]} * activation;
      sum += term;
      if (!min.empty()) term_min = double{min[static_cast<size_t>(row * weights.cols + i)]};
      magnitude += std::fabs(term) + 2 * std::fabs(term_min * activation);
    }
    return {sum, magnitude};
  }

  /// The values of the weights, and the minimums that a sum of products subtracts apart.
  void ReadValues() {
    values.resize(static_cast<size_t>(weights.rows * weights.cols));
    if (IsQuantized(weights.type)) min.resize(values.size());
    for (int64_t row = 0; row < weights.rows; ++row) {
      float* of_row = values.data() + row * weights.cols;
      kReferenceKernels.dequantize(weights, row, of_row);
      for (int64_t b = 0; b < std::ssize(min) / weights.rows / kQuantBlock; ++b) {
        const QuantBlock block = ReadQuantBlock(weights.type, weights.row(row), b);
        for (int64_t i = 0; i < kQuantBlock; ++i) {
          min[static_cast<size_t>(row * weights.cols + b * kQuantBlock + i)] =
              block.min[static_cast<size_t>(i / 16)];
        }
      }
    }
  }

  int tokens;
  std::string bytes;
  TensorView weights;
  std::vector<float> values, min;  // min: of quantised types
  std::vector<float> x;
  std::vector<BFloat16> x_bf16;
  std::vector<int8_t> q;
  std::vector<float> scale;
  std::vector<int32_t> offset;
  AlignedBuffer packed;
};

TEST_P(KernelsTest, MatmulIsWithinTheRoundingOfItsSum) {
  for (const DType type : kAllDTypes) {
    for (const int64_t cols : {32, 64, 256, 704, 768}) {
      if (cols % BlockElements(type) != 0) continue;
      for (const int tokens : {1, 3, 4, 9}) {
        SCOPED_TRACE(std::string(DTypeName(type)) + " " + std::to_string(cols));
        const Problem problem(type, 17, cols, tokens);
        const std::vector<float> out = problem.RunAll(kernels_);
        for (int64_t i = 0; i < std::ssize(out); ++i) {
          const auto [sum, magnitude] = problem.Exact(
              i % problem.weights.rows, static_cast<int>(i / problem.weights.rows), kernels_);
          // n additions and a few roundings of each term: (n + 4) * epsilon * sum |term|.
          const double bound = static_cast<double>(cols + 4) * kEpsilon * magnitude;
          ASSERT_NEAR(out[static_cast<size_t>(i)], sum, bound);
        }
      }
    }
  }
}

TEST_P(KernelsTest, MatmulTakesAnyWidthOfFloatWeights) {
  for (const DType type : {DType::kF32, DType::kF16, DType::kBF16}) {
    for (const int64_t cols : {1, 7, 8, 9, 43, 172}) {
      const Problem problem(type, 5, cols, 6);
      const std::vector<float> out = problem.RunAll(kernels_);
      for (int64_t i = 0; i < std::ssize(out); ++i) {
        const auto [sum, magnitude] = problem.Exact(i % 5, static_cast<int>(i / 5), kernels_);
        ASSERT_NEAR(out[static_cast<size_t>(i)], sum,
                    static_cast<double>(cols + 4) * kEpsilon * magnitude);
      }
    }
  }
}

TEST_P(KernelsTest, MatmulGivesEqualBitsHoweverRowsAndTokensAreGrouped) {
  for (const DType type : kAllDTypes) {
    const Problem problem(type, 40, BlockElements(type) == kSuperBlock ? 512 : 96, 11);
    const std::vector<float> whole = problem.RunAll(kernels_);
    for (int token = 0; token < problem.tokens; ++token) {
      std::vector<float> pieces(whole.size());
      for (const int64_t begin : {0, 13, 14}) {
        const int64_t end = begin == 0 ? 13 : begin == 13 ? 14 : 40;
        const std::vector<float> part = problem.Run(kernels_, begin, end, token, 1);
        for (size_t i = 0; i < part.size(); ++i) pieces[i] += part[i];
      }
      for (size_t r = 0; r < 40; ++r) {
        const size_t at = static_cast<size_t>(token) * 40 + r;
        ASSERT_EQ(pieces[at], whole[at]) << DTypeName(type) << " row " << r;
      }
    }
  }
}

TEST_P(KernelsTest, MatmulDoesNotOverflowOnExtremeQuants) {
  BlockQ8 block{.scale = FloatToHalf(1), .quants = {}};
  block.quants.fill(-128);
  std::vector<int8_t> q(kQuantBlock, -127);
  const float scale = 1;
  float out = 0;
  kernels_.matmul({.weights = {DType::kQ8_0, 1, kQuantBlock, reinterpret_cast<std::byte*>(&block)},
                   .q = q.data(),
                   .q_scale = &scale,
                   .tokens = 1,
                   .row_begin = 0,
                   .row_end = 1,
                   .out = &out,
                   .out_stride = 1});
  EXPECT_EQ(out, 32.0f * 128 * 127);
}

TEST(Avx512KernelsTest, FloatProductsHaveTheBitsOfAvx2) {
  if (!HasIsa(Isa::kAvx512)) GTEST_SKIP() << "this machine has no avx512";
  for (const DType type : {DType::kF32, DType::kF16, DType::kBF16}) {
    for (const int64_t cols : {7, 8, 31, 40, 63, 172, 256}) {
      const Problem problem(type, 13, cols, 7);
      EXPECT_EQ(problem.RunAll(KernelsFor(Isa::kAvx512)), problem.RunAll(KernelsFor(Isa::kAvx2)))
          << DTypeName(type) << " " << cols;
    }
  }
}

/// Of the instruction sets that take weights in another layout than the stored one.
class PackedKernelsTest : public KernelsTest {};

INSTANTIATE_TEST_SUITE_P(Isas, PackedKernelsTest, ::testing::Values(Isa::kAvx512, Isa::kAvx512Bf16),
                         [](const auto& tested) { return std::string(IsaName(tested.param)); });

TEST(PackedLayoutTest, GroupsOfRowsArePackedOnTheirOwn) {
  for (const DType type : kAllDTypes) {
    if (type != DType::kBF16 && !IsQuantized(type)) continue;
    SCOPED_TRACE(std::string(DTypeName(type)));
    Problem whole(type, 37, 768, 1);
    whole.Pack();
    const TensorView& weights = whole.weights;
    AlignedBuffer pieces = *AlignedBuffer::Allocate(whole.packed.size());
    const size_t group = whole.packed.size() / 3;
    PackGroups(weights, 2, 3, pieces.data());
    const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
    EXPECT_TRUE(std::all_of(pieces.data(), pieces.data() + 2 * group, is_zero));
    PackGroups(weights, 0, 2, pieces.data());
    EXPECT_TRUE(std::ranges::equal(pieces.bytes(), whole.packed.bytes()));
  }
}

TEST(PackedLayoutTest, TheOtherInstructionSetsTakeWeightsAsStored) {
  EXPECT_FALSE(KernelsFor(Isa::kReference).packs_weights);
  EXPECT_FALSE(KernelsFor(Isa::kAvx2).packs_weights);
}

/// The types that some instruction set packs.
std::vector<DType> PackedTypes() {
  std::vector<DType> types;
  for (const DType type : kAllDTypes) {
    if (IsQuantized(type) || type == DType::kBF16) types.push_back(type);
  }
  return types;
}

TEST_P(PackedKernelsTest, MatmulIsWithinTheRoundingOfItsSum) {
  for (const DType type : PackedTypes()) {
    for (const int64_t cols : {32, 64, 96, 704, 256, 768, 1, 43, 1100}) {
      if (cols % BlockElements(type) != 0 || !kernels_.Packs(type)) continue;
      for (const int64_t rows : {1, 16, 17, 40, 64}) {
        for (const int tokens : {1, 2, 3, 4, 5, 6, 7, 13, 60}) {
          SCOPED_TRACE(std::string(DTypeName(type)) + " " + std::to_string(rows) + " x " +
                       std::to_string(cols));
          Problem problem(type, rows, cols, tokens);
          problem.Pack();
          const std::vector<float> out = problem.RunAll(kernels_);
          problem.weights.packed = nullptr;
          for (int64_t i = 0; i < std::ssize(out); ++i) {
            const auto [sum, magnitude] =
                problem.Exact(i % rows, static_cast<int>(i / rows), kernels_);
            // The dots are exact; a few roundings for each scale, product and addition of a block.
            const int64_t terms = type == DType::kBF16 ? cols : cols / kQuantBlock;
            const double bound = static_cast<double>(terms + 6) * 2 * kEpsilon * magnitude;
            ASSERT_NEAR(out[static_cast<size_t>(i)], sum, bound) << tokens << " tokens, " << i;
          }
        }
      }
    }
  }
}

TEST_P(PackedKernelsTest, MatmulGivesEqualBitsHoweverRowsAndTokensAreGrouped) {
  for (const DType type : PackedTypes()) {
    if (!kernels_.Packs(type)) continue;
    // More columns than fit with all tokens into the second-level cache's share.
    Problem problem(type, 55, 7 * 1024, 40);
    problem.Pack();
    const std::vector<float> whole = problem.RunAll(kernels_);
    for (int token = 0; token < problem.tokens; ++token) {
      std::vector<float> pieces(whole.size());
      for (const auto& [begin, end] : {std::pair{0, 13}, {13, 14}, {14, 48}, {48, 55}}) {
        const std::vector<float> part = problem.Run(kernels_, begin, end, token, 1);
        for (size_t i = 0; i < part.size(); ++i) pieces[i] += part[i];
      }
      for (size_t r = 0; r < 55; ++r) {
        const size_t at = static_cast<size_t>(token) * 55 + r;
        ASSERT_EQ(pieces[at], whole[at]) << DTypeName(type) << " row " << r;
      }
    }
  }
}

TEST_P(PackedKernelsTest, MatmulDoesNotOverflowOnExtremeQuants) {
  for (const int8_t extreme : {-128, 127}) {
    Problem problem(DType::kQ8_0, 16, 64, 1);
    for (size_t i = 0; i < problem.bytes.size(); i += sizeof(BlockQ8)) {
      BlockQ8 block{.scale = FloatToHalf(1), .quants = {}};
      block.quants.fill(extreme);
      std::memcpy(problem.bytes.data() + i, &block, sizeof(block));
    }
    std::fill(problem.q.begin(), problem.q.end(), int8_t{-127});
    std::fill(problem.scale.begin(), problem.scale.end(), 1.0f);
    kernels_.offset_terms(problem.q.data(), std::ssize(problem.q), problem.offset.data());
    problem.Pack();
    for (const float out : problem.RunAll(kernels_)) EXPECT_EQ(out, 64.0f * -127 * extreme);
  }
}

TEST_P(KernelsTest, RowsOfPackedWeightsDequantizeAsStored) {
  for (const DType type : PackedTypes()) {
    for (const int64_t cols : {32, 64, 160, 256, 768, 33}) {
      if (cols % BlockElements(type) != 0) continue;
      Problem problem(type, 21, cols, 1);
      std::vector<float> want(static_cast<size_t>(cols)), got(want.size());
      problem.Pack();
      TensorView stored = problem.weights, packed = problem.weights;
      stored.packed = nullptr;
      packed.data = nullptr;
      for (int64_t row = 0; row < 21; ++row) {
        kernels_.dequantize(stored, row, want.data());
        kernels_.dequantize(packed, row, got.data());
        ASSERT_EQ(got, want) << DTypeName(type) << " row " << row;
      }
    }
  }
}

TEST_P(KernelsTest, RowsOfQuantisedWeightsAreNearTheNumbersTheyWereMadeFrom) {
  for (const auto& [type, steps] : {std::pair{DType::kQ8_0, 127.0},
                                    {DType::kQ4_0, 8.0},
                                    {DType::kQ4_K, 7.5},
                                    {DType::kQ6_K, 31.0}}) {
    const std::vector<float> x = RandomFloats(1024, 1, 12);
    std::vector<std::byte> stored(1024 / static_cast<size_t>(BlockElements(type)) *
                                  static_cast<size_t>(BlockBytes(type)));
    StoreInto(type, x, stored.data());
    std::vector<float> got(x.size());
    kernels_.dequantize({type, 1, 1024, stored.data()}, 0, got.data());
    // Half a step of the largest of a block, a whole one at the end that has one step less, and as
    // much again for the rounding of the scales of the K types.
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_NEAR(got[i], x[i], 1.1 * 3.5 / steps) << DTypeName(type) << " " << i;
    }
  }
}

TEST_P(KernelsTest, OffsetTermsTakeTheOffsetOut) {
  std::vector<int8_t> q(32 * 7);
  for (size_t i = 0; i < q.size(); ++i) q[i] = static_cast<int8_t>(i * 37);
  std::fill_n(q.begin(), 32, int8_t{-128});
  std::vector<int32_t> want(7), got(7);
  kReferenceKernels.offset_terms(q.data(), std::ssize(q), want.data());
  kernels_.offset_terms(q.data(), std::ssize(q), got.data());
  EXPECT_EQ(want[0], 128 * 128 * 32);
  EXPECT_EQ(got, want);
}

TEST_P(KernelsTest, SumWordsGivesTheSumOfTheReference) {
  AlignedBuffer buffer = *AlignedBuffer::Allocate(512 * 9);
  std::mt19937_64 random(3);
  for (std::byte& byte : std::span(buffer.data(), buffer.size())) byte = std::byte(random());
  EXPECT_EQ(kernels_.sum_words(buffer.data(), buffer.size()),
            kReferenceKernels.sum_words(buffer.data(), buffer.size()));
}

TEST_P(KernelsTest, QuantizeGivesTheBitsOfTheReference) {
  std::vector<float> x = RandomFloats(32 * 50, 3, 9);
  for (size_t i = 0; i < 32; ++i) x[i] = 0;
  for (size_t i = 32; i < 64; ++i) x[i] = static_cast<float>(i) - 47.5f;  // ties
  x[70] = 1e30f;
  x[100] = INFINITY;
  std::vector<int8_t> want(x.size()), got(x.size());
  std::vector<float> want_scale(x.size() / 32), got_scale(x.size() / 32);
  kReferenceKernels.quantize(x.data(), std::ssize(x), want.data(), want_scale.data());
  kernels_.quantize(x.data(), std::ssize(x), got.data(), got_scale.data());
  EXPECT_EQ(got, want);
  EXPECT_EQ(got_scale, want_scale);
}

TEST_P(KernelsTest, QuantizeIsOffByAtMostHalfAStep) {
  const std::vector<float> x = RandomFloats(320, 2, 5);
  std::vector<int8_t> q(x.size());
  std::vector<float> scale(10);
  kernels_.quantize(x.data(), std::ssize(x), q.data(), scale.data());
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], scale[i / 32] * q[i], scale[i / 32] * 0.5001f);
  }
}

TEST_P(KernelsTest, ElementWiseOperationsAgreeWithTheReference) {
  for (const size_t n : {1u, 7u, 8u, 64u, 172u}) {
    const std::vector<float> x = RandomFloats(n, 3, n), y = RandomFloats(n, 1, n + 1);
    std::vector<float> want(n), got(n);
    kReferenceKernels.rms_norm(x.data(), y.data(), static_cast<int64_t>(n), 1e-5f, want.data());
    kernels_.rms_norm(x.data(), y.data(), static_cast<int64_t>(n), 1e-5f, got.data());
    for (size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(got[i], want[i], static_cast<double>(n + 4) * kEpsilon * std::fabs(want[i]));
    }
    kReferenceKernels.silu_multiply(x.data(), y.data(), static_cast<int64_t>(n), want.data());
    kernels_.silu_multiply(x.data(), y.data(), static_cast<int64_t>(n), got.data());
    // e^x to 2 ulp on both sides, then a handful of roundings.
    for (size_t i = 0; i < n; ++i) ASSERT_NEAR(got[i], want[i], 16 * kEpsilon * std::fabs(want[i]));
    want = x;
    got = x;
    kReferenceKernels.add(y.data(), static_cast<int64_t>(n), want.data());
    kernels_.add(y.data(), static_cast<int64_t>(n), got.data());
    ASSERT_EQ(got, want);
  }
}

TEST_P(KernelsTest, SiluHoldsAtTheEndsOfTheRange) {
  const std::vector<float> gate = {-1000, -90, -88, 0, 88, 1000, -87.2f, 1e-30f};
  const std::vector<float> up(gate.size(), 1);
  std::vector<float> out(gate.size());
  kernels_.silu_multiply(gate.data(), up.data(), std::ssize(gate), out.data());
  for (size_t i = 0; i < gate.size(); ++i) {
    const double x = gate[i];
    EXPECT_NEAR(out[i], x / (1 + std::exp(-x)), 1e-6 * std::fabs(x) + 1e-30) << x;
  }
}

TEST_P(KernelsTest, ToHalfGivesTheBitsOfTheReference) {
  std::vector<float> x = RandomFloats(1003, 100, 6);
  x[0] = 1e-7f;
  x[1] = 65520;
  x[2] = -0.0f;
  std::vector<Half> want(x.size()), got(x.size());
  kReferenceKernels.to_half(x.data(), std::ssize(x), want.data());
  kernels_.to_half(x.data(), std::ssize(x), got.data());
  EXPECT_EQ(got, want);
}

TEST_P(KernelsTest, ToBFloat16GivesTheBitsOfTheReference) {
  std::vector<float> x = RandomFloats(1003, 100, 6);
  x[0] = 0;
  x[1] = -0.0f;
  x[2] = INFINITY;
  x[3] = 1.00390625f;  // a tie, to even below
  x[4] = 1.01171875f;  // a tie, to even above
  std::vector<BFloat16> want(x.size()), got(x.size());
  kReferenceKernels.to_bf16(x.data(), std::ssize(x), want.data());
  kernels_.to_bf16(x.data(), std::ssize(x), got.data());
  EXPECT_EQ(got, want);
}

TEST_P(KernelsTest, RopeAgreesWithTheReference) {
  for (const int pairs : {1, 4, 7, 8, 9, 32}) {
    const std::vector<float> angles = RandomFloats(static_cast<size_t>(pairs), 2, 7);
    std::vector<float> cosine, sine;
    for (const float angle : angles) {
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
    std::vector<float> want = RandomFloats(static_cast<size_t>(2 * pairs + 1), 2, 8), got = want;
    const std::vector<float> x = want;
    kReferenceKernels.rope(cosine.data(), sine.data(), pairs, want.data());
    kernels_.rope(cosine.data(), sine.data(), pairs, got.data());
    EXPECT_EQ(got.back(), x.back());
    for (size_t i = 0; i < 2 * static_cast<size_t>(pairs); ++i) {
      // Two products and a sum: three roundings of what is at most the pair's length.
      ASSERT_NEAR(got[i], want[i], 4 * kEpsilon * std::hypot(x[i & ~size_t{1}], x[i | 1]));
    }
  }
}

TEST_P(KernelsTest, RopeOfHalvesIsThatOfNeighboursInAnotherOrder) {
  for (const int pairs : {1, 4, 15, 16, 17, 64}) {
    const std::vector<float> angles = RandomFloats(static_cast<size_t>(pairs), 2, 7);
    std::vector<float> cosine, sine, neox;
    for (const float angle : angles) {
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
    std::vector<float> x = RandomFloats(static_cast<size_t>(2 * pairs), 2, 8);
    for (size_t i = 0; i < x.size(); i += 2) neox.push_back(x[i]);
    for (size_t i = 1; i < x.size(); i += 2) neox.push_back(x[i]);
    neox.push_back(7);
    kReferenceKernels.rope(cosine.data(), sine.data(), pairs, x.data());
    kernels_.rope_neox(cosine.data(), sine.data(), pairs, neox.data());
    EXPECT_EQ(neox.back(), 7);
    for (size_t i = 0; i < static_cast<size_t>(pairs); ++i) {
      const float bound = 4 * kEpsilon * std::hypot(x[2 * i], x[2 * i + 1]);
      ASSERT_NEAR(neox[i], x[2 * i], bound);
      ASSERT_NEAR(neox[i + static_cast<size_t>(pairs)], x[2 * i + 1], bound);
    }
  }
}

TEST_P(KernelsTest, RopeKeepsLengthsAndTurnsByTheAngle) {
  const float cosine = std::cos(0.3f), sine = std::sin(0.3f);
  std::vector<float> x = {1, 0, 7};
  kernels_.rope(&cosine, &sine, 1, x.data());
  EXPECT_FLOAT_EQ(x[0], cosine);
  EXPECT_FLOAT_EQ(x[1], sine);
  EXPECT_EQ(x[2], 7);
}

}  // namespace
}  // namespace emptor::engine
