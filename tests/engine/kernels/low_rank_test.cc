// Low-rank products of every instruction set against the plain kernels.
#include "engine/kernels/kernels.h"
#include "gtest/gtest.h"
#include "tests/engine/kernels/kernels_fixture.h"

namespace emptor::engine {
namespace {

class LowRankTest : public KernelsTest {};

INSTANTIATE_TEST_SUITE_P(Isas, LowRankTest, ::testing::ValuesIn(kAllIsas),
                         [](const auto& tested) { return std::string(IsaName(tested.param)); });

/// outputs + h b^T on generated numbers.
struct LowRankProblem {
  LowRankProblem(int64_t count, int of_rank, int of_tokens)
      : outputs(count), rank(of_rank), tokens(of_tokens) {
    const auto groups = static_cast<size_t>((outputs + kLowRankGroup - 1) / kLowRankGroup);
    b = RandomFloats(groups * kLowRankGroup * static_cast<size_t>(rank), 1, 8);
    h = RandomFloats(static_cast<size_t>(tokens * rank), 1, 9);
    before = RandomFloats(static_cast<size_t>(tokens * outputs), 1, 10);
  }
  void RunInto(const Kernels& kernels, int64_t begin, int64_t end, int first, int count,
               std::vector<float>& out) const {
    kernels.add_low_rank({.b = b.data(),
                          .h = h.data() + first * rank,
                          .rank = rank,
                          .tokens = count,
                          .outputs = outputs,
                          .group_begin = begin,
                          .group_end = end,
                          .out = out.data() + first * outputs,
                          .out_stride = outputs});
  }
  int64_t groups() const { return (outputs + kLowRankGroup - 1) / kLowRankGroup; }

  int64_t outputs;
  int rank, tokens;
  std::vector<float> b, h, before;
};

TEST_P(LowRankTest, ProductsAreWithinTheRoundingOfTheirSums) {
  for (const int64_t outputs : {1, 15, 16, 17, 43, 64}) {
    for (const int rank : {1, 3, 16}) {
      const LowRankProblem problem(outputs, rank, 11);
      std::vector<float> got = problem.before, want = problem.before;
      problem.RunInto(kernels_, 0, problem.groups(), 0, 11, got);
      problem.RunInto(kReferenceKernels, 0, problem.groups(), 0, 11, want);
      for (size_t i = 0; i < got.size(); ++i) {
        ASSERT_NEAR(got[i], want[i], 4e-6 * rank) << outputs << " " << rank << " " << i;
      }
    }
  }
}

TEST_P(LowRankTest, ProductsHaveEqualBitsHoweverGroupsAndTokensAreCut) {
  const LowRankProblem problem(75, 7, 11);
  std::vector<float> whole = problem.before, pieces = problem.before;
  problem.RunInto(kernels_, 0, problem.groups(), 0, 11, whole);
  for (int token = 0; token < 11; ++token) {
    problem.RunInto(kernels_, 0, 2, token, 1, pieces);
    problem.RunInto(kernels_, 2, problem.groups(), token, 1, pieces);
  }
  EXPECT_EQ(pieces, whole);
}

}  // namespace
}  // namespace emptor::engine
