// A small run: every figure is present and plausible.
#include "services/bench/retrieval_speed.h"

#include "catalog/encoding/json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "retrieval/embedding/hashing_embedder.h"

namespace emptor::services {
namespace {

RetrievalSpeedReport Measure(const RetrievalSpeedOptions& options) {
  const retrieval::HashingEmbedder embedder(32);
  auto report = MeasureRetrieval(options, embedder);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : RetrievalSpeedReport{};
}

TEST(RetrievalSpeedTest, SmallRunGivesEveryFigure) {
  const RetrievalSpeedReport report =
      Measure({.passages = 3000,
               .queries = 20,
               .threads = {1, 2},
               .vector_index = *retrieval::ParseVectorIndex("IVF32,SQ8")});
  EXPECT_EQ(report.passages, 3000u);
  ASSERT_EQ(report.hybrid.size(), 2u);
  EXPECT_EQ(report.hybrid[1].threads, 2);
  EXPECT_GT(report.hybrid[1].per_second, 0);
  EXPECT_LE(report.hybrid[0].p50_ms, report.hybrid[0].p99_ms);
  ASSERT_EQ(report.filtered.size(), 5u);
  for (const FilteredSearch& filtered : report.filtered) {
    EXPECT_EQ(filtered.short_answers, 0u) << filtered.share;
    EXPECT_GE(filtered.recall_at_10, filtered.share <= 0.01 ? 0.98 : 0.9) << filtered.share;
    // Around a tenth either may be taken: the draw decides.
    if (filtered.share != 0.1) {
      EXPECT_EQ(filtered.scanned, filtered.share < 0.1 ? 1 : 0);
    }
  }
  EXPECT_THAT(RetrievalSpeedTable(report), ::testing::HasSubstr("0.1 % allowed"));
  const std::string json = RetrievalSpeedJson(report);
  EXPECT_TRUE(catalog::ParseJson(json, {}).ok()) << json;
}

TEST(RetrievalSpeedTest, GrowsFromGivenTextsAndSearchesGivenQueries) {
  const RetrievalSpeedReport report = Measure({.passages = 50,
                                               .queries = 3,
                                               .threads = {1},
                                               .texts = {"red kettle", "blue toaster oven"},
                                               .searched = {"kettle"}});
  EXPECT_EQ(report.passages, 50u);
  EXPECT_EQ(report.filtered[0].recall_at_10, 1);
}

TEST(RetrievalSpeedTest, SearchesWithTheDictionaryUnlessPlain) {
  RetrievalSpeedOptions options{.passages = 50,
                                .queries = 1,
                                .threads = {1},
                                .texts = {"red kettle", "blue toaster oven"},
                                .searched = {"kettel"}};
  const RetrievalSpeedReport with_dictionary = Measure(options);
  options.dictionary = false;
  const RetrievalSpeedReport plain = Measure(options);
  EXPECT_GT(with_dictionary.dictionary_seconds, 0);
  EXPECT_EQ(plain.dictionary_seconds, 0);
  EXPECT_GT(with_dictionary.words.matched, 1);  // "kettel" is corrected
  EXPECT_EQ(plain.words.matched, 0);
}

TEST(RetrievalSpeedTest, NothingToMeasureIsRefused) {
  const retrieval::HashingEmbedder embedder(32);
  EXPECT_TRUE(absl::IsInvalidArgument(MeasureRetrieval({.passages = 0}, embedder).status()));
}

}  // namespace
}  // namespace emptor::services
