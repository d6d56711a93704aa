// Pruned against exhaustive scoring, and the exhaustive one against the formula.
#include "retrieval/lexical/ranked_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

const Analyzer& SharedAnalyzer() {
  static const Analyzer analyzer = *Analyzer::Create();
  return analyzer;
}

/// Words of a skewed vocabulary: "q0" is common, "q199" is rare.
std::string RandomText(std::mt19937& random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    const double u = static_cast<double>(random() % 10000) / 10000;
    text += testing::Numbered("q", static_cast<size_t>(200 * u * u * u));
    text += ' ';
  }
  return text;
}

InvertedIndex RandomIndex(uint32_t seed, size_t records) {
  std::mt19937 random(seed);
  InvertedIndexBuilder builder{Bm25Options{}};
  for (size_t r = 0; r < records; ++r) {
    const std::string title = RandomText(random, 1 + random() % 6);
    const std::string attributes = RandomText(random, random() % 20);
    const std::string description = RandomText(random, random() % 40);
    builder.Add(SharedAnalyzer(), {title, "", "", attributes, description});
  }
  return std::move(builder).Seal();
}

RecordSet RandomSet(uint32_t seed, size_t size, unsigned percent) {
  std::mt19937 random(seed);
  RecordSet set(size);
  for (uint32_t i = 0; i < size; ++i) {
    if (random() % 100 < percent) set.Insert(i);
  }
  return set;
}

TEST(RankedSearchTest, MaxScoreEqualsExhaustiveToTheLastBit) {
  const InvertedIndex index = RandomIndex(1, 3000);
  const InvertedIndex* pointer = &index;
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const std::string query = RandomText(random, 1 + random() % 6);
    const auto terms = CompileQuery(SharedAnalyzer(), query, {&pointer, 1});
    const size_t k = std::array<size_t, 5>{0, 1, 10, 100, 5000}[random() % 5];
    const RecordSet allowed = RandomSet(static_cast<uint32_t>(round), 3000,
                                        std::array<unsigned, 4>{0, 1, 20, 90}[random() % 4]);
    for (const RecordSet* filter : {static_cast<const RecordSet*>(nullptr), &allowed}) {
      const LexicalMatches want = SearchExhaustively(index, terms, k, filter);
      const LexicalMatches got = SearchMaxScore(index, terms, k, filter);
      ASSERT_EQ(got.best, want.best) << "round " << round << " query " << query << " k " << k;
      ASSERT_EQ(got.matched.count(), want.matched.count());
    }
  }
}

TEST(RankedSearchTest, FilterLosesNothingThatExists) {
  const InvertedIndex index = RandomIndex(3, 2000);
  const InvertedIndex* pointer = &index;
  const auto terms = CompileQuery(SharedAnalyzer(), "q0 q1 q7", {&pointer, 1});
  const RecordSet allowed = RandomSet(4, 2000, 1);
  const LexicalMatches all = SearchExhaustively(index, terms, 2000, nullptr);
  std::vector<ScoredRecord> want;
  for (const ScoredRecord& hit : all.best) {
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
  const auto hits = SearchExhaustively(index, terms, 10, nullptr).best;
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

TEST(InvertedIndexTest, MergedSegmentsEqualOneBuiltFromTheText) {
  std::mt19937 random(6);
  std::vector<std::array<std::string, 2>> texts;
  for (int r = 0; r < 300; ++r) texts.push_back({RandomText(random, 4), RandomText(random, 9)});
  const Bm25Options options;
  InvertedIndexBuilder even(options), odd(options), whole(options), merged(options);
  std::vector<uint32_t> even_positions, odd_positions;
  uint32_t next = 0;
  for (size_t r = 0; r < texts.size(); ++r) {
    const FieldTexts fields = {texts[r][0], "", "", "", texts[r][1]};
    (r % 2 == 0 ? even : odd).Add(SharedAnalyzer(), fields);
    const bool dropped = r % 7 == 3;
    (r % 2 == 0 ? even_positions : odd_positions)
        .push_back(dropped ? InvertedIndexBuilder::kDropped : next);
    if (dropped) continue;
    whole.Add(SharedAnalyzer(), fields);
    ++next;
  }
  merged.AddSegment(std::move(even).Seal(), even_positions);
  merged.AddSegment(std::move(odd).Seal(), odd_positions);
  const InvertedIndex a = std::move(merged).Seal();
  const InvertedIndex b = std::move(whole).Seal();
  EXPECT_EQ(a.term_count(), b.term_count());
  EXPECT_EQ(a.posting_count(), b.posting_count());
  for (int t = 0; t < 200; ++t) {
    const auto list_a = a.Find(testing::Numbered("q", static_cast<size_t>(t)));
    const auto list_b = b.Find(testing::Numbered("q", static_cast<size_t>(t)));
    ASSERT_EQ(list_a.has_value(), list_b.has_value());
    if (!list_a) continue;
    EXPECT_THAT(list_a->records, ::testing::ElementsAreArray(list_b->records));
    EXPECT_THAT(list_a->impacts, ::testing::ElementsAreArray(list_b->impacts));
  }
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

TEST(Bm25Test, IdfIsPositiveAndFalls) {
  EXPECT_GT(ComputeIdf(100, 100), 0);
  EXPECT_GT(ComputeIdf(100, 1), ComputeIdf(100, 2));
}

}  // namespace
}  // namespace emptor::retrieval
