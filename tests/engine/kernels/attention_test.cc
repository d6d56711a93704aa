// Attention of every instruction set against the plain one, and whatever tokens go together.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/kernels/kernels.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

constexpr double kEpsilon = 0x1p-24;  // half a unit in the last place of a float in [1, 2)

struct Shape {
  int group, head_dim, position, tokens, block_tokens;
  int window = 0;
};

/// Random queries, keys and values. Blocks do not lie in the order of memory.
class Problem {
 public:
  explicit Problem(const Shape& shape) : shape_(shape) {
    std::mt19937_64 random(7);
    std::normal_distribution<float> normal;
    const int positions = shape.position + shape.tokens;
    const int blocks = (positions + shape.block_tokens - 1) / shape.block_tokens;
    const auto block_size = static_cast<size_t>(shape.block_tokens * shape.head_dim);
    memory_.resize(2 * block_size * static_cast<size_t>(blocks));
    for (int b = blocks; b-- > 0;) {
      keys_.push_back(memory_.data() + 2 * static_cast<size_t>(b) * block_size);
      values_.push_back(keys_.back() + block_size);
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
    std::vector<Half> halves(key.size());
    kReferenceKernels.to_half(key.data(), std::ssize(key), halves.data());
    auto* keys = const_cast<Half*>(keys_[block]);
    auto* values = const_cast<Half*>(values_[block]);
    for (int i = 0; i < shape_.head_dim; ++i) {
      keys[i * shape_.block_tokens + row] = halves[static_cast<size_t>(i)];
    }
    kReferenceKernels.to_half(value.data(), std::ssize(value), values + row * shape_.head_dim);
  }

  Shape shape_;
  std::vector<Half> memory_;
  std::vector<const Half*> keys_, values_;
  std::vector<float> query_;
};

const std::vector<Shape> kShapes = {
    {1, 8, 0, 1, 16},        {2, 8, 36, 1, 16},     {2, 64, 99, 1, 16},
    {3, 20, 8, 1, 4},        {4, 128, 32, 1, 8},    {1, 3, 4, 1, 2},
    {7, 80, 69, 1, 32},      {8, 64, 47, 1, 16},    {2, 64, 46, 1, 20},
    {2, 64, 0, 70, 16},      {8, 64, 120, 9, 16},   {5, 24, 61, 7, 16},
    {1, 64, 200, 1, 16},     {3, 64, 0, 130, 64},   {2, 64, 300, 5, 16, 40},
    {2, 64, 0, 150, 16, 64}, {4, 16, 129, 3, 8, 1}, {1, 40, 90, 80, 128, 65}};

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
