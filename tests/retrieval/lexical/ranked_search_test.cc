// Pruned against exhaustive scoring, and the exhaustive one against the formula.
#include "retrieval/lexical/ranked_search.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/retrieval/support/random_text.h"

namespace emptor::retrieval {
namespace {

using testing::RandomIndex;
using testing::RandomSet;
using testing::RandomText;
using testing::RoundsOf;
using testing::SharedAnalyzer;

// 10,000 queries with EMPTOR_SOAK.
TEST(RankedSearchTest, PrunedEqualsExhaustiveToTheLastBit) {
  constexpr size_t kRecords = 12000;
  const InvertedIndex index = RandomIndex(1, kRecords);
  const InvertedIndex* pointer = &index;
  std::vector<RecordSet> filters;
  for (const unsigned percent : {0u, 1u, 20u, 90u}) {
    filters.push_back(RandomSet(percent, kRecords, percent));
  }
  std::mt19937 random(2);
  for (size_t round = 0; round < RoundsOf(400, 10000); ++round) {
    const std::string query = RandomText(random, 1 + random() % 6);
    const auto terms = CompileQuery(SharedAnalyzer(), query, {&pointer, 1});
    const size_t k = std::array<size_t, 5>{0, 1, 10, 100, 20000}[random() % 5];
    const RecordSet& some = filters[random() % filters.size()];
    for (const RecordSet* filter : {static_cast<const RecordSet*>(nullptr), &some}) {
      const auto want = SearchExhaustively(index, terms, k, filter);
      ASSERT_EQ(SearchPruned(index, terms, k, filter), want)
          << "round " << round << " query " << query << " k " << k;
    }
  }
}

TEST(RankedSearchTest, FilterLosesNothingThatExists) {
  const InvertedIndex index = RandomIndex(3, 2000);
  const InvertedIndex* pointer = &index;
  const auto terms = CompileQuery(SharedAnalyzer(), "q0 q1 q7", {&pointer, 1});
  const RecordSet allowed = RandomSet(4, 2000, 1);
  const std::vector<ScoredRecord> all = SearchExhaustively(index, terms, 2000, nullptr);
  std::vector<ScoredRecord> want;
  for (const ScoredRecord& hit : all) {
    if (allowed.contains(hit.record)) want.push_back(hit);
  }
  EXPECT_EQ(SearchRanked(index, terms, 2000, &allowed).best, want);
  EXPECT_EQ(SearchRanked(index, terms, 2000, &allowed).matched.count(), want.size());
}

TEST(RankedSearchTest, ScoresFollowTheFormula) {
  Bm25Options options;
  InvertedIndexBuilder builder(options);
  builder.Add(SharedAnalyzer(), {"red kettle", "", "", "", "a kettle for tea"});
  builder.Add(SharedAnalyzer(), {"blue toaster", "", "", "", ""});
  const InvertedIndex index = std::move(builder).Seal();
  const InvertedIndex* pointer = &index;
  const auto terms = CompileQuery(SharedAnalyzer(), "kettle", {&pointer, 1});
  ASSERT_EQ(terms.size(), 1u);
  const auto hits = SearchExhaustively(index, terms, 10, nullptr);
  ASSERT_EQ(hits.size(), 1u);

  const float title = options.weight[0] / (1 - options.b[0] + options.b[0] * 2.0f / 2.0f);
  const float description = options.weight[4] / (1 - options.b[4] + options.b[4] * 2.0f / 1.0f);
  const float f = title + description;
  const float want = ComputeIdf(2, 1) * (options.k1 + 1) * f / (options.k1 + f);
  EXPECT_NEAR(hits[0].score, want, 1e-4);
  EXPECT_EQ(ScoreRecords(index, terms, std::vector<uint32_t>{1, 0})[1], hits[0].score);
  EXPECT_EQ(ScoreRecords(index, terms, std::vector<uint32_t>{1, 0})[0], 0.0f);
}

TEST(RankedSearchTest, UnknownTermsAndEmptyIndexGiveNothing) {
  const InvertedIndex index = RandomIndex(5, 10);
  const InvertedIndex* pointer = &index;
  EXPECT_TRUE(CompileQuery(SharedAnalyzer(), "zzz", {&pointer, 1}).empty());
  EXPECT_TRUE(SearchRanked(index, {}, 10, nullptr).best.empty());
  const InvertedIndex empty = InvertedIndexBuilder{Bm25Options{}}.Seal();
  EXPECT_TRUE(SearchRanked(empty, {}, 10, nullptr).best.empty());
}

TEST(Bm25Test, FrequenciesSaturateWithoutSpilling) {
  FieldFrequencies frequencies;
  for (int i = 0; i < 100; ++i) frequencies.Increment(Field::kBrand);
  frequencies.Increment(Field::kDescription);
  EXPECT_EQ(frequencies.of(0), 0u);
  EXPECT_EQ(frequencies.of(1), 3u);
  EXPECT_EQ(frequencies.of(2), 0u);
  EXPECT_EQ(frequencies.of(3), 0u);
  EXPECT_EQ(frequencies.of(4), 1u);
}

TEST(Bm25Test, AFieldWithoutTheTermAddsNothingEvenWhereOnlyLengthCounts) {
  Bm25Options options;
  options.b.fill(1);
  LengthStatistics statistics;
  statistics.Add({2, 0, 0, 0, 0});
  FieldFrequencies frequencies;
  frequencies.Increment(Field::kTitle);
  const float f = options.weight[0];
  EXPECT_FLOAT_EQ(ComputeImpact(options, statistics, frequencies, {2, 0, 0, 0, 0}),
                  (options.k1 + 1) * f / (options.k1 + f));
}

TEST(Bm25Test, IdfIsPositiveAndFalls) {
  EXPECT_GT(ComputeIdf(100, 100), 0);
  EXPECT_GT(ComputeIdf(100, 1), ComputeIdf(100, 2));
}

}  // namespace
}  // namespace emptor::retrieval
