#include "engine/speculation/draft_length.h"

#include <string>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

/// A machine on which a step of n tokens takes (1 + slope * (n - 1)) * unit seconds.
StepCost Measured(double slope, double unit = 0.01) {
  StepCost cost;
  for (int round = 0; round < 400; ++round) {
    for (const int n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64}) {
      cost.Observe(n, unit * (1 + slope * (n - 1)));
    }
  }
  return cost;
}

struct DraftLengthCase {
  std::string name;
  double slope;
  std::vector<DraftCandidate> candidates;
  int batch;
  double draft_seconds;
  std::vector<int> want;
};

class DraftLengthTest : public ::testing::TestWithParam<DraftLengthCase> {};

TEST_P(DraftLengthTest, IsThatOfTheTable) {
  const DraftLengthCase& c = GetParam();
  EXPECT_EQ(ChooseDraftLengths(c.candidates, c.batch, Measured(c.slope), c.draft_seconds), c.want);
}

// The expected tokens of k drafts at acceptance p are 1 + p + ... + p^k.
INSTANTIATE_TEST_SUITE_P(
    Table, DraftLengthTest,
    ::testing::Values(
        DraftLengthCase{"NoCandidate", 0.1, {}, 3, 0, {}},
        DraftLengthCase{"CertainTokensAreAllTaken", 0.1, {{{1, 1}, 8}}, 1, 0, {8}},
        DraftLengthCase{"TokensThatCostTheirFullTimeAreNot", 1, {{{0.9, 0.9}, 8}}, 1, 0, {0}},
        // 1.8 / 1.3, 2.44 / 1.6, 2.95 / 1.9, then 3.36 / 2.2 is less.
        DraftLengthCase{
            "LikelyTokensAreTakenForAsLongAsTheyPay", 0.3, {{{0.8, 0.8}, 16}}, 1, 0, {3}},
        // 1.5 / 1.4, 1.95 / 1.8, 2.355 / 2.2, 2.72 / 2.6: long drafts that are right or wrong
        // whole.
        DraftLengthCase{"RightOrWrongWhole", 0.4, {{{0.5, 0.9}, 8}}, 1, 0, {0}},
        DraftLengthCase{"MostlyRightWhole", 0.4, {{{0.8, 1}, 8}}, 1, 0, {8}},
        // 1.05 / 1.1
        DraftLengthCase{"UnlikelyTokensAreNot", 0.1, {{{0.05, 0.05}, 8}}, 1, 0, {0}},
        DraftLengthCase{"ADraftModelThatTakesTooLong", 0.1, {{{0.6, 0.6}, 8}}, 1, 0.01, {0}},
        DraftLengthCase{
            "NoCandidateWithoutAcceptance", 0.1, {{{0, 0}, 0}, {{0.95, 0.95}, 2}}, 2, 0, {0, 2}},
        DraftLengthCase{
            "TheLikelierSequenceGetsMore", 0.25, {{{0.5, 0.5}, 8}, {{0.9, 0.9}, 8}}, 2, 0, {0, 5}},
        // Of a full batch, the 33rd token takes nearly as long as an average one.
        DraftLengthCase{"NoneInAFullBatch", 0.5, std::vector<DraftCandidate>(32, {{0.8, 0.8}, 8}),
                        32, 0, std::vector<int>(32, 0)}),
    [](const auto& tested) { return tested.param.name; });

TEST(StepCostTest, BeforeMeasurementEachTokenAddsATenth) {
  const StepCost cost;
  EXPECT_DOUBLE_EQ(cost.Of(1), 1);
  EXPECT_DOUBLE_EQ(cost.Of(5), 1.4);
  EXPECT_DOUBLE_EQ(cost.Of(512), 52.1);
}

TEST(StepCostTest, BeyondTheLargestSizeEachTokenCostsItsFullTime) {
  StepCost cost;
  EXPECT_DOUBLE_EQ(cost.Of(1024), 2 * cost.Of(512));
  for (int i = 0; i < 200; ++i) cost.Observe(1024, 8);
  EXPECT_NEAR(cost.Of(1024), 8, 0.1);
  EXPECT_NEAR(cost.Of(512), 4, 0.1);
  // 512 sequences and more: what a draft token gains, another sequence's token would gain as well.
  const std::vector<DraftCandidate> all(600, {{0.99, 0.99}, 8});
  EXPECT_EQ(ChooseDraftLengths(all, 600, cost, 0), std::vector<int>(600, 0));
}

TEST(StepCostTest, ASizeThatIsNotSeenIsNotTakenForCheaperThanSmallerOnes) {
  StepCost cost = Measured(1);
  for (int i = 0; i < 20000; ++i) cost.Observe(16, 0.16);
  EXPECT_NEAR(cost.Of(16), 0.16, 0.01);
  EXPECT_GT(cost.Of(32), 1.3 * cost.Of(16));
  EXPECT_GT(cost.Of(64), 2 * cost.Of(16));
}

TEST(StepCostTest, AFullBatchHardlyEverDraftsWhereTokensCostTheirFullTime) {
  for (const int batch : {8, 16, 32, 48}) {
    SCOPED_TRACE(batch);
    StepCost cost = Measured(1);
    const std::vector<DraftCandidate> all(static_cast<size_t>(batch), {{0.95, 0.95}, 8});
    int drafting = 0;
    for (int step = 0; step < 20000; ++step) {
      int tokens = batch;
      for (const int length : ChooseDraftLengths(all, batch, cost, 0)) tokens += length;
      drafting += tokens > batch ? 1 : 0;
      cost.Observe(tokens, 0.01 * tokens);
    }
    EXPECT_LT(drafting, 200);
  }
}

TEST(StepCostTest, LearnsTheCurve) {
  const StepCost cost = Measured(0.4, 0.002);
  for (const int n : {1, 2, 5, 8, 16, 64}) {
    EXPECT_NEAR(cost.Of(n) / cost.Of(1), 1 + 0.4 * (n - 1), 0.06 * (1 + 0.4 * (n - 1))) << n;
  }
  EXPECT_NEAR(cost.Of(1), 0.002, 0.0005);
}

TEST(StepCostTest, AFasterMachineIsNotAnotherCurve) {
  StepCost cost = Measured(0.1);
  for (int i = 0; i < 30; ++i) cost.Observe(1, 0.02);
  EXPECT_NEAR(cost.Of(9) / cost.Of(1), 1.8, 0.25);
}

TEST(StepCostTest, ADisturbedStepCountsLittle) {
  StepCost cost = Measured(0.1);
  cost.Observe(4, 10);
  EXPECT_NEAR(cost.Of(4) / cost.Of(1), 1.3, 0.2);
  cost.Observe(4, 0);
  cost.Observe(4, -1);
  EXPECT_GT(cost.Of(4), 0);
}

TEST(AcceptanceMeterTest, LearnsEachClassAndForgets) {
  AcceptanceMeter meter;
  const double before = meter.Of(1).first;
  for (int i = 0; i < 100; ++i) meter.Observe(2, 4, 4);
  EXPECT_GT(meter.Of(2).first, 0.9);
  EXPECT_GT(meter.Of(2).later, 0.9);
  EXPECT_EQ(meter.Of(1).first, before);
  for (int i = 0; i < 100; ++i) meter.Observe(2, 1, 0);
  EXPECT_LT(meter.Of(2).first, 0.1);
  EXPECT_GT(meter.Of(2).later, 0.9);  // no further token was tried
}

TEST(AcceptanceMeterTest, FewObservationsCountForLess) {
  AcceptanceMeter few, many;
  few.Observe(4, 1, 1);
  for (int i = 0; i < 100; ++i) many.Observe(4, i % 5 == 0 ? 1 : 8, i % 5 == 0 ? 0 : 8);
  EXPECT_LT(few.CautiousOf(4).first, few.Of(4).first - 0.1);
  EXPECT_GT(many.CautiousOf(4).first, many.Of(4).first - 0.1);
  EXPECT_LT(many.CautiousOf(4).first, many.Of(4).first);
}

TEST(AcceptanceMeterTest, TheFirstTokenHasAChanceOfItsOwn) {
  AcceptanceMeter meter;
  for (int i = 0; i < 100; ++i) {
    meter.Observe(3, 1, 0);
    meter.Observe(3, 8, 8);
  }
  EXPECT_NEAR(meter.Of(3).first, 0.5, 0.05);
  EXPECT_GT(meter.Of(3).later, 0.97);
}

TEST(AcceptanceMeterTest, WhatIsNotTriedReturnsToWhereItBegan) {
  AcceptanceMeter meter;
  const double before = meter.Of(3).first;
  for (int i = 0; i < 100; ++i) meter.Observe(3, 1, 0);
  EXPECT_LT(meter.Of(3).first, before / 2);
  for (int i = 0; i < 2000; ++i) meter.Forget(3);
  EXPECT_NEAR(meter.Of(3).first, before, 0.01);
}

TEST(AcceptanceMeterTest, BeginsWhereAnotherIsAndGoesItsOwnWay) {
  AcceptanceMeter all;
  for (int i = 0; i < 100; ++i) all.Observe(0, 1, 0);
  AcceptanceMeter one(all);
  EXPECT_DOUBLE_EQ(one.Of(0).first, all.Of(0).first);
  for (int i = 0; i < 20; ++i) one.Observe(0, 2, 2);
  EXPECT_GT(one.Of(0).first, 0.7);
  EXPECT_LT(all.Of(0).first, 0.1);
}

}  // namespace
}  // namespace emptor::engine
