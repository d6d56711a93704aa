// Cross-validated settings: a query has no influence on the setting that ranks it.
#include "retrieval/eval/fold_choice.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace emptor::retrieval {
namespace {

constexpr std::array kObjective = {Metric::kNdcg, Metric::kNdcgJudged};

/// Scores of one run: the same value in both metrics, or nothing.
RunScores ScoresOf(const std::vector<std::optional<double>>& values) {
  RunScores run;
  for (const auto& value : values) {
    QueryScores scores;
    scores.of(Metric::kNdcg) = scores.of(Metric::kNdcgJudged) = value;
    run.queries.push_back(scores);
  }
  return run;
}

QuerySet QueriesInFolds(size_t folds, const std::vector<size_t>& wanted) {
  QuerySet queries;
  for (const size_t fold : wanted) {
    for (size_t i = 0;; ++i) {
      std::string text = "query ";
      text += std::to_string(queries.size() * 1000 + i);
      if (FoldOf(text, folds) != fold) continue;
      queries.push_back({text, text, {}});
      break;
    }
  }
  return queries;
}

TEST(FoldChoiceTest, AFoldIsRankedByWhatTheOthersPrefer) {
  // The first setting is good for the queries of fold 0 alone, the second for those of fold 1.
  const QuerySet queries = QueriesInFolds(2, {0, 0, 1, 1});
  const std::vector<RunScores> runs = {ScoresOf({1, 1, 0, 0}), ScoresOf({0, 0, 0.9, 0.9})};
  EXPECT_EQ(ChooseByFold(runs, kObjective, queries, 2), (std::vector<size_t>{1, 0}));
}

TEST(FoldChoiceTest, AChangeInsideAFoldNeverChangesItsChoice) {
  const QuerySet queries = QueriesInFolds(3, {0, 1, 2, 0, 1, 2});
  std::vector<RunScores> runs = {ScoresOf({0.2, 0.4, 0.6, 0.1, 0.5, 0.3}),
                                 ScoresOf({0.3, 0.3, 0.5, 0.4, 0.2, 0.6})};
  const auto before = ChooseByFold(runs, kObjective, queries, 3);
  runs[1].queries[0].of(Metric::kNdcg) = 100;
  runs[1].queries[3].of(Metric::kNdcgJudged) = -100;
  EXPECT_EQ(ChooseByFold(runs, kObjective, queries, 3)[0], before[0]);
}

TEST(FoldChoiceTest, TheFirstHoldsUntilTheOthersAreBetterBeyondChance) {
  const std::vector<size_t> all = {0, 1, 2, 3};
  // Better on the whole by 0.1, by chance: one query decides.
  const std::vector<RunScores> chance = {ScoresOf({0.5, 0.5, 0.5, 0.5}),
                                         ScoresOf({0.4, 0.4, 0.4, 1.2})};
  EXPECT_EQ(ChooseRun(chance, kObjective, all), 0u);
  const std::vector<RunScores> steady = {ScoresOf({0.5, 0.5, 0.5, 0.5}),
                                         ScoresOf({0.6, 0.6, 0.6, 0.7})};
  EXPECT_EQ(ChooseRun(steady, kObjective, all), 1u);
}

TEST(FoldChoiceTest, EqualSettingsGiveTheFirstAndUnmeasuredQueriesDoNotCount) {
  const QuerySet queries = QueriesInFolds(2, {0, 1});
  const std::vector<RunScores> runs = {ScoresOf({std::nullopt, 0.5}),
                                       ScoresOf({std::nullopt, 0.5})};
  EXPECT_EQ(ChooseByFold(runs, kObjective, queries, 2), (std::vector<size_t>{0, 0}));
  const std::vector<size_t> all = {0, 1};
  EXPECT_EQ(ChooseRun(runs, kObjective, all), 0u);
}

TEST(FoldChoiceTest, AFoldWithEveryQueryHasTheFirstChoice) {
  const QuerySet queries = QueriesInFolds(2, {0, 0});
  const std::vector<RunScores> runs = {ScoresOf({0, 0}), ScoresOf({1, 1})};
  EXPECT_EQ(ChooseByFold(runs, kObjective, queries, 2), (std::vector<size_t>{0, 1}));
}

}  // namespace
}  // namespace emptor::retrieval
