// Metrics against values computed by hand.
#include "retrieval/eval/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace emptor::retrieval {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

constexpr double kExact = 1e-12;
const Grades kGrades = {{"a", 3}, {"b", 0}, {"c", 1}, {"d", 2}};

std::optional<double> Score(Metric metric, const std::vector<std::string>& ranking,
                            const MetricOptions& options = {}, const Grades& grades = kGrades) {
  return ScoreRanking(ranking, grades, options).of(metric);
}

TEST(MetricsTest, NdcgDiscountsByRankAndTakesUnjudgedAsIrrelevant) {
  const double log3 = std::log2(3.0);
  const double ideal = 7 + 3 / log3 + 1 / 2.0;  // grades 3, 2, 1
  EXPECT_THAT(Score(Metric::kNdcg, {"a", "d", "c"}), Optional(DoubleNear(1, kExact)));
  EXPECT_THAT(Score(Metric::kNdcg, {"x", "a"}), Optional(DoubleNear(7 / log3 / ideal, kExact)));
  EXPECT_THAT(Score(Metric::kNdcg, {}), Optional(DoubleNear(0, kExact)));
  EXPECT_THAT(Score(Metric::kNdcg, {"b", "x", "a"}, {.ndcg_depth = 2}),
              Optional(DoubleNear(0, kExact)));
}

TEST(MetricsTest, JudgedOnlyFormsLeaveUnjudgedRecordsOut) {
  EXPECT_THAT(Score(Metric::kNdcgJudged, {"x", "a", "y", "d", "c"}),
              Optional(DoubleNear(1, kExact)));
  EXPECT_THAT(Score(Metric::kReciprocalRankJudged, {"x", "y", "b", "c"}),
              Optional(DoubleNear(0.5, kExact)));
  EXPECT_THAT(Score(Metric::kReciprocalRank, {"x", "y", "b", "c"}),
              Optional(DoubleNear(0.25, kExact)));
  EXPECT_THAT(Score(Metric::kRecallJudged, {"x", "a"}, {.recall_depth = 1}),
              Optional(DoubleNear(1.0 / 3, kExact)));
  EXPECT_THAT(Score(Metric::kRecall, {"x", "a"}, {.recall_depth = 1}),
              Optional(DoubleNear(0, kExact)));
}

TEST(MetricsTest, EachGainIsItsFormula) {
  const double log3 = std::log2(3.0);
  const Grades grades = {{"a", 3}, {"b", 2.33}};
  const auto ndcg = [&](Gain gain) {
    return *Score(Metric::kNdcg, {"b", "a"}, {.gain = gain}, grades);
  };
  const auto swapped = [&](double a, double b) { return (b + a / log3) / (a + b / log3); };
  EXPECT_NEAR(ndcg(Gain::kExponential), swapped(7, std::exp2(2.33) - 1), kExact);
  EXPECT_NEAR(ndcg(Gain::kExponentialFromOne), swapped(3, std::exp2(1.33) - 1), kExact);
  EXPECT_NEAR(ndcg(Gain::kLinear), swapped(3, 2.33), kExact);
}

TEST(MetricsTest, RelevanceBeginsWhereItIsSaid) {
  EXPECT_THAT(Score(Metric::kRecall, {"c", "d"}), Optional(DoubleNear(2.0 / 3, kExact)));
  EXPECT_THAT(Score(Metric::kRecall, {"c", "d"}, {.relevant_from = 2}),
              Optional(DoubleNear(0.5, kExact)));
  EXPECT_THAT(Score(Metric::kReciprocalRank, {"c", "d"}, {.relevant_from = 2}),
              Optional(DoubleNear(0.5, kExact)));
}

TEST(MetricsTest, WhatCannotBeMeasuredIsNothing) {
  const Grades irrelevant = {{"a", 0}, {"b", 0}};
  const QueryScores scores = ScoreRanking(std::vector<std::string>{"a"}, irrelevant, {});
  EXPECT_FALSE(scores.of(Metric::kNdcg));
  EXPECT_FALSE(scores.of(Metric::kRecall));
  EXPECT_FALSE(scores.of(Metric::kReciprocalRank));
  EXPECT_FALSE(scores.of(Metric::kPairwise));
  EXPECT_THAT(scores.of(Metric::kJudged), Optional(1.0));
  EXPECT_FALSE(Score(Metric::kJudged, {}));
}

TEST(MetricsTest, PairsCountByTheirOrderAndAbsentOnesAsTies) {
  // Pairs of unequal grade: ab, ac, ad, cb, db, dc.
  EXPECT_THAT(Score(Metric::kPairwise, {"a", "d", "c", "b"}), Optional(DoubleNear(1, kExact)));
  EXPECT_THAT(Score(Metric::kPairwise, {"b", "c", "d", "a"}), Optional(DoubleNear(0, kExact)));
  EXPECT_THAT(Score(Metric::kPairwise, {"x"}), Optional(DoubleNear(0.5, kExact)));
  // a before the rest; b, c and d are tied behind it.
  EXPECT_THAT(Score(Metric::kPairwise, {"a"}), Optional(DoubleNear((3 + 1.5) / 6, kExact)));
}

TEST(MetricsTest, JudgedShareIsOverTheShownRecords) {
  EXPECT_THAT(Score(Metric::kJudged, {"a", "x"}), Optional(DoubleNear(0.5, kExact)));
  EXPECT_THAT(Score(Metric::kJudged, {"a", "x", "y"}, {.ndcg_depth = 1}),
              Optional(DoubleNear(1, kExact)));
}

TEST(MetricsTest, NamesReadBack) {
  for (const Gain gain : {Gain::kExponential, Gain::kExponentialFromOne, Gain::kLinear}) {
    EXPECT_EQ(ParseGain(ToString(gain)), gain);
  }
  EXPECT_EQ(ParseGain("2^g"), std::nullopt);
  EXPECT_EQ(MetricName(Metric::kNdcg, {.ndcg_depth = 5}), "nDCG@5");
  EXPECT_EQ(MetricName(Metric::kRecallJudged, {.recall_depth = 50}), "recall@50 judged only");
}

}  // namespace
}  // namespace emptor::retrieval
