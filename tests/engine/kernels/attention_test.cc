// Attention of every instruction set against the plain one, and whatever tokens go together.
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "engine/kernels/kernels.h"
#include "engine/tensor/half.h"
#include "gtest/gtest.h"
#include "tests/support/guarded_bytes.h"

namespace emptor::engine {
namespace {

constexpr double kEpsilon = 0x1p-24;  // half a unit in the last place of a float in [1, 2)

struct Shape {
  int group, head_dim, position, tokens, block_tokens;
  int window = 0;
  KvType type = KvType::kF16;
};

/// Random queries, keys and values; nothing may be read behind the keys or values of a block.
class Problem {
 public:
  explicit Problem(const Shape& shape) : shape_(shape) {
    std::mt19937_64 random(7);
    std::normal_distribution<float> normal;
    const int positions = shape.position + shape.tokens;
    const int blocks = (positions + shape.block_tokens - 1) / shape.block_tokens;
    const bool bytes = shape.type == KvType::kInt8;
    const auto elements = static_cast<size_t>(shape.block_tokens * shape.head_dim);
    const size_t scales = bytes ? static_cast<size_t>(shape.block_tokens) * sizeof(float) : 0;
    const size_t block_size = bytes ? scales + (elements + 3) / 4 * 4 : elements * sizeof(Half);
    for (int b = 0; b < blocks; ++b) {
      keys_.push_back(memory_.emplace_back(block_size).data());
      values_.push_back(memory_.emplace_back(block_size).data());
    }
    std::vector<float> key(static_cast<size_t>(shape.head_dim)), value(key.size());
    // Written position by position, so that equal seeds mean equal keys with any block size.
    for (int p = 0; p < positions; ++p) {
      for (float& x : key) x = normal(random);
      for (float& x : value) x = normal(random);
      Write(p, key, value);
    }
    query_.resize(static_cast<size_t>(shape.tokens) * Width());
    for (float& x : query_) x = normal(random);
  }

  size_t Width() const { return static_cast<size_t>(shape_.group * shape_.head_dim); }

  /// Tokens [first, first + count) in one call; the others stay 0.
  std::vector<float> Run(const Kernels& kernels, int first, int count) const {
    std::vector<float> out(query_.size());
    std::vector<float> scratch(
        static_cast<size_t>(AttentionScratchFloats(count * shape_.group, shape_.head_dim)), NAN);
    const size_t at = static_cast<size_t>(first) * Width();
    kernels.attention({.q = query_.data() + at,
                       .out = out.data() + at,
                       .stride = static_cast<int64_t>(Width()),
                       .tokens = count,
                       .position = shape_.position + first,
                       .window = shape_.window,
                       .group = shape_.group,
                       .head_dim = shape_.head_dim,
                       .block_tokens = shape_.block_tokens,
                       .kv_type = shape_.type,
                       .keys = keys_,
                       .values = values_,
                       .scale = 0.3f,
                       .scratch = scratch.data()});
    return out;
  }
  std::vector<float> RunAll(const Kernels& kernels) const { return Run(kernels, 0, shape_.tokens); }

 private:
  void Write(int position, const std::vector<float>& key, const std::vector<float>& value) {
    const auto block = static_cast<size_t>(position / shape_.block_tokens);
    const int row = position % shape_.block_tokens;
    auto* keys = const_cast<std::byte*>(keys_[block]);
    auto* values = const_cast<std::byte*>(values_[block]);
    for (int i = 0; i < shape_.head_dim; ++i) {
      const auto at = static_cast<size_t>(i);
      Put(keys, row, i * shape_.block_tokens + row, key[at]);
      Put(values, row, row * shape_.head_dim + i, value[at]);
    }
  }
  /// One scale serves any number that is drawn here.
  void Put(std::byte* block, int row, int at, float x) const {
    if (shape_.type == KvType::kF16) {
      reinterpret_cast<Half*>(block)[at] = FloatToHalf(x);
      return;
    }
    auto* scales = reinterpret_cast<float*>(block);
    scales[row] = 0.03f + 0.001f * static_cast<float>(row % 7);
    const float steps = std::clamp(x / scales[row], -127.0f, 127.0f);
    reinterpret_cast<int8_t*>(scales + shape_.block_tokens)[at] = static_cast<int8_t>(steps);
  }

  Shape shape_;
  std::vector<testing::GuardedBytes> memory_;
  std::vector<const std::byte*> keys_, values_;
  std::vector<float> query_;
};

const std::vector<Shape> kShapes = {{1, 8, 0, 1, 16},
                                    {2, 8, 36, 1, 16},
                                    {2, 64, 99, 1, 16},
                                    {3, 20, 8, 1, 4},
                                    {4, 128, 32, 1, 8},
                                    {1, 3, 4, 1, 2},
                                    {7, 80, 69, 1, 32},
                                    {8, 64, 47, 1, 16},
                                    {2, 64, 46, 1, 20},
                                    {2, 64, 0, 70, 16},
                                    {8, 64, 120, 9, 16},
                                    {5, 24, 61, 7, 16},
                                    {1, 64, 200, 1, 16},
                                    {3, 64, 0, 130, 64},
                                    {2, 64, 300, 5, 16, 40},
                                    {2, 64, 0, 150, 16, 64},
                                    {4, 16, 129, 3, 8, 1},
                                    {1, 40, 90, 80, 128, 65},
                                    {2, 24, 47, 1, 16},
                                    {1, 40, 30, 2, 16},
                                    {2, 8, 47, 1, 16, 0, KvType::kInt8},
                                    {2, 24, 61, 3, 16, 0, KvType::kInt8},
                                    {2, 64, 99, 1, 16, 0, KvType::kInt8},
                                    {3, 20, 8, 70, 4, 0, KvType::kInt8},
                                    {8, 64, 120, 9, 16, 50, KvType::kInt8},
                                    {1, 40, 90, 3, 32, 0, KvType::kInt8}};

class AttentionTest : public ::testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!HasIsa(GetParam())) GTEST_SKIP() << "this machine has no " << IsaName(GetParam());
  }
  const Kernels& kernels_ = KernelsFor(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Isas, AttentionTest, ::testing::ValuesIn(kAllIsas),
                         [](const auto& tested) { return std::string(IsaName(tested.param)); });

TEST_P(AttentionTest, AgreesWithTheReference) {
  for (const Shape& s : kShapes) {
    SCOPED_TRACE(::testing::Message() << s.head_dim << " at " << s.position << " x " << s.tokens);
    const Problem problem(s);
    const std::vector<float> want = problem.RunAll(kReferenceKernels);
    const std::vector<float> got = problem.RunAll(kernels_);
    // Scores are off by (head_dim + 4) epsilon of their terms' sum, here below 16; weights by that,
    // the sum over positions and three roundings for each block.
    const int positions = s.position + s.tokens;
    const double bound = (16.0 * (s.head_dim + 4) + positions + positions / 16) * 4 * kEpsilon;
    for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], bound) << i;
  }
}

TEST_P(AttentionTest, TokensGetEqualBitsHoweverTheyGoTogether) {
  for (const Shape& s : kShapes) {
    SCOPED_TRACE(::testing::Message() << s.head_dim << " at " << s.position << " x " << s.tokens);
    const Problem problem(s);
    const std::vector<float> want = problem.RunAll(kernels_);
    for (const int piece : {1, 3, 8}) {
      std::vector<float> got(want.size());
      for (int t = 0; t < s.tokens; t += piece) {
        const std::vector<float> part = problem.Run(kernels_, t, std::min(piece, s.tokens - t));
        for (size_t i = 0; i < got.size(); ++i) got[i] += part[i];
      }
      ASSERT_EQ(got, want) << piece;
    }
  }
}

TEST_P(AttentionTest, SizesOfBlocksDoNotChangeABit) {
  for (const int window : {0, 50}) {
    const std::vector<float> want = Problem({2, 24, 150, 9, 16, window}).RunAll(kernels_);
    for (const int block_tokens : {1, 4, 20, 64, 256}) {
      const Problem problem({2, 24, 150, 9, block_tokens, window});
      ASSERT_EQ(problem.RunAll(kernels_), want) << block_tokens;
    }
  }
}

TEST_P(AttentionTest, AWindowThatHoldsAllPositionsChangesNothing) {
  EXPECT_EQ(Problem({2, 64, 100, 30, 16, 130}).RunAll(kernels_),
            Problem({2, 64, 100, 30, 16}).RunAll(kernels_));
}

TEST(VectorAttentionTest, VariantsGiveEqualBits) {
  if (!HasIsa(Isa::kAvx512)) GTEST_SKIP() << "this machine has no avx512";
  for (const Shape& s : kShapes) {
    const Problem problem(s);
    EXPECT_EQ(problem.RunAll(KernelsFor(Isa::kAvx512)), problem.RunAll(KernelsFor(Isa::kAvx2)));
  }
}

}  // namespace
}  // namespace emptor::engine
