// Means and intervals; the frozen baseline.
#include "retrieval/eval/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "retrieval/eval/frozen_baseline.h"

namespace emptor::retrieval {
namespace {

RunScores NdcgScores(const std::vector<std::optional<double>>& values) {
  RunScores scores;
  for (const auto& value : values) scores.queries.emplace_back().of(Metric::kNdcg) = value;
  return scores;
}

TEST(ComparisonTest, MeansAreOverWhatIsMeasurable) {
  const RunScores run = NdcgScores({0.5, std::nullopt, 1.0});
  EXPECT_DOUBLE_EQ(MeanOf(run, Metric::kNdcg).value, 0.75);
  EXPECT_EQ(MeanOf(run, Metric::kNdcg).queries, 2u);
  const std::vector<size_t> last = {1, 2};
  EXPECT_DOUBLE_EQ(MeanOf(run, Metric::kNdcg, last).value, 1.0);
  EXPECT_EQ(MeanOf(run, Metric::kRecall).queries, 0u);
}

TEST(ComparisonTest, AConstantGainHasAnIntervalOfNoWidth) {
  std::vector<std::optional<double>> before, after;
  for (int i = 0; i < 20; ++i) {
    before.push_back(0.03 * i);
    after.push_back(0.03 * i + 0.1);
  }
  const Interval change =
      CompareRuns(NdcgScores(before), NdcgScores(after), Metric::kNdcg, {.rounds = 200});
  EXPECT_NEAR(change.mean, 0.1, 1e-12);
  EXPECT_NEAR(change.low, 0.1, 1e-12);
  EXPECT_NEAR(change.high, 0.1, 1e-12);
  EXPECT_TRUE(change.excludes_zero());
}

TEST(ComparisonTest, TheIntervalHasTheWidthOfTheNormalApproximation) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(i % 2 == 0 ? 1 : -1);
  const Interval interval = BootstrapMean(values);
  EXPECT_NEAR(interval.low, -1.96 / 20, 0.01);
  EXPECT_NEAR(interval.high, 1.96 / 20, 0.01);
  EXPECT_FALSE(interval.excludes_zero());
  EXPECT_EQ(BootstrapMean(values).low, interval.low) << "equal inputs give equal intervals";
}

TEST(ComparisonTest, OnlyQueriesThatBothMeasureArePaired) {
  const Interval change = CompareRuns(NdcgScores({0.5, std::nullopt, 0.2}),
                                      NdcgScores({0.7, 0.9, std::nullopt}), Metric::kNdcg);
  EXPECT_EQ(change.queries, 1u);
  EXPECT_NEAR(change.mean, 0.2, 1e-12);
  EXPECT_EQ(BootstrapMean({}).queries, 0u);
}

TEST(ComparisonTest, AQueryWithoutARankingScoresAsEmpty) {
  const QuerySet queries = {{"q1", "one", {{"p1", 1}}}, {"q2", "two", {{"p1", 1}}}};
  const RunScores scores = ScoreRun({"r", {{"q2", {{"p1", 1}}}}}, queries, {});
  EXPECT_EQ(scores.queries[0].of(Metric::kNdcg), 0.0);
  EXPECT_EQ(scores.queries[1].of(Metric::kNdcg), 1.0);
}

catalog::Product MakeProduct(const std::string& id, const std::string& title,
                             const std::string& description = "", const std::string& brand = "") {
  catalog::Product product;
  product.id = id;
  product.title = title;
  product.description = description;
  product.brand = brand;
  return product;
}

std::vector<std::string> Ids(const std::vector<RankedId>& ranking) {
  std::vector<std::string> ids;
  for (const RankedId& hit : ranking) ids.push_back(hit.id);
  return ids;
}

TEST(FrozenBm25Test, ScoresAreTheFormula) {
  FrozenBm25 bm25({});
  bm25.Add(MakeProduct("p1", "Red kettle"));
  bm25.Add(MakeProduct("p2", "Blue blue kettle", "with a lid"));
  const auto found = bm25.Search("blue", 10);
  ASSERT_EQ(found.size(), 1u);
  const double idf = std::log(1 + (2 - 1 + 0.5) / (1 + 0.5));
  const double norm = 1 - 0.4 + 0.4 * 6 / 4.0;
  EXPECT_NEAR(found[0].score, idf * 2 * 1.9 / (2 + 0.9 * norm), 1e-12);
}

TEST(FrozenBm25Test, PluralsMatchTheirSingularUnlessKept) {
  for (const bool strip : {true, false}) {
    FrozenBm25 bm25({.strip_plurals = strip});
    bm25.Add(MakeProduct("p1", "Batteries"));
    bm25.Add(MakeProduct("p2", "Glass"));
    EXPECT_EQ(bm25.Search("battery", 10).size(), strip ? 1u : 0u);
    EXPECT_EQ(bm25.Search("glas", 10).size(), 0u);
  }
}

TEST(FrozenBm25Test, ReadsTheFieldsOfItsOptions) {
  for (const bool more : {true, false}) {
    FrozenBm25 bm25({.description = more, .brand = more});
    bm25.Add(MakeProduct("p1", "Kettle", "steel", "Acme"));
    bm25.Add(MakeProduct("p2", "KETTLE"));
    EXPECT_EQ(bm25.Search("steel", 10).size(), more ? 1u : 0u);
    EXPECT_EQ(bm25.Search("acme", 10).size(), more ? 1u : 0u);
    EXPECT_EQ(bm25.Search("kettle", 1).size(), 1u);
  }
}

TEST(FrozenBm25Test, EqualScoresKeepTheOrderOfAdding) {
  FrozenBm25 bm25({});
  for (const char* id : {"p3", "p1", "p2"}) bm25.Add(MakeProduct(id, "kettle"));
  EXPECT_THAT(Ids(bm25.Search("kettle", 2)), ::testing::ElementsAre("p3", "p1"));
}

}  // namespace
}  // namespace emptor::retrieval
