// The pure parts of the hybrid search: fusion, compaction policy, identifiers, passages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "retrieval/hybrid/fusion.h"
#include "retrieval/segment/identifier_map.h"
#include "retrieval/segment/merge_policy.h"
#include "retrieval/segment/passages.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(FusionTest, WeighsNormalisedScores) {
  std::vector<Candidate> candidates = {{.record = 0, .lexical = 10, .vector = 0.2f},
                                       {.record = 1, .lexical = 5, .vector = 0.6f},
                                       {.record = 2, .lexical = 0, .vector = -1.0f}};
  FuseScores({.lexical_weight = 0.6f, .vector_weight = 0.4f}, 1, candidates);
  EXPECT_EQ(candidates[0].record, 0u);
  EXPECT_NEAR(candidates[0].fused, 0.6 + 0.4 * 1.2 / 1.6, 1e-6);
  EXPECT_EQ(candidates[1].record, 1u);
  EXPECT_NEAR(candidates[1].fused, 0.6 * 0.5 + 0.4, 1e-6);
  EXPECT_EQ(candidates[2].fused, 0);
}

TEST(FusionTest, WhereWordsAreNotTrustedTheVectorSearchDecides) {
  std::vector<Candidate> candidates = {{.record = 0, .lexical = 10, .vector = 0.80f},
                                       {.record = 1, .lexical = 0, .vector = 0.85f},
                                       {.record = 2, .lexical = 10, .vector = 0.75f}};
  FuseScores({}, 1, candidates);
  EXPECT_EQ(candidates[0].record, 0u);
  EXPECT_EQ(candidates[2].record, 1u);
  FuseScores({}, 0, candidates);
  EXPECT_EQ(candidates[0].record, 1u);
  EXPECT_FLOAT_EQ(candidates[0].fused, 1.0f);
  EXPECT_NEAR(candidates[1].fused, 0.5, 1e-5);
  EXPECT_EQ(candidates[2].fused, 0);
}

TEST(FusionTest, OneSearchAloneFillsTheRange) {
  std::vector<Candidate> candidates = {{.record = 0, .lexical = 8}, {.record = 1, .lexical = 2}};
  FuseScores({.lexical_weight = 0.7f, .vector_weight = 0}, 0.5f, candidates);
  EXPECT_EQ(candidates[0].fused, 1.0f);
  EXPECT_EQ(candidates[1].fused, 0.25f);
}

TEST(FusionTest, IdentifiedRecordsLead) {
  std::vector<Candidate> candidates = {{.record = 0, .lexical = 10, .vector = 0.9f},
                                       {.record = 1, .identified = true}};
  FuseScores({}, 1, candidates);
  EXPECT_EQ(candidates[0].record, 1u);
  EXPECT_EQ(candidates[0].fused, 1.0f);
  EXPECT_LT(candidates[1].fused, 1.0f);
}

TEST(FusionTest, WithoutWeightsOrScoresNothingDividesByZero) {
  std::vector<Candidate> candidates = {{.record = 1}, {.record = 0}};
  FuseScores({.lexical_weight = 0, .vector_weight = 0}, 0, candidates);
  EXPECT_EQ(candidates[0].record, 0u);
  EXPECT_EQ(candidates[0].fused, 0);
}

TEST(MergePolicyTest, FullCompactionTable) {
  const MergeLimits limits{
      .min_fresh_records = 100, .fresh_share = 0.25, .first_immutable_records = 10};
  struct Case {
    std::vector<size_t> live;
    size_t dead;
    bool due;
  };
  const Case cases[] = {
      {{0}, 0, false},             // nothing there
      {{1000}, 0, false},          // nothing fresh
      {{0, 9}, 0, false},          // too few for an immutable part
      {{0, 10}, 0, true},          // enough for the first one
      {{1000, 99}, 0, false},      // few are fresh
      {{1000, 200, 50}, 0, true},  // a quarter is fresh
      {{1000}, 249, false},        // tombstones within bounds
      {{1000}, 251, true},         // too many tombstones
  };
  for (const Case& c : cases) {
    EXPECT_EQ(NeedsFullCompaction(limits, {c.live, c.dead}), c.due)
        << ::testing::PrintToString(c.live);
  }
}

TEST(MergePolicyTest, CompactionTable) {
  struct Case {
    std::vector<size_t> fresh;
    size_t first;
  };
  const Case cases[] = {
      {{}, 0},          // nothing there
      {{99}, 1},        // one stays alone
      {{40, 1}, 2},     // much smaller: waits
      {{40, 20}, 0},    // similar: merged
      {{40, 2, 1}, 1},  // only the small ones
  };
  for (const Case& c : cases) {
    EXPECT_EQ(PlanMinorCompaction(c.fresh), c.first) << ::testing::PrintToString(c.fresh);
  }
}

TEST(MergePolicyTest, KeepsSegmentsFewWhenRecordsComeOneByOne) {
  std::vector<size_t> fresh;
  size_t moved = 0;
  for (int i = 0; i < 3000; ++i) {
    fresh.push_back(1);
    const size_t first = PlanMinorCompaction(fresh);
    if (first < fresh.size()) {
      const size_t sum =
          std::accumulate(fresh.begin() + static_cast<ptrdiff_t>(first), fresh.end(), size_t{0});
      moved += sum;
      fresh.resize(first);
      fresh.push_back(sum);
    }
    ASSERT_LE(fresh.size(), 13u);
  }
  EXPECT_LE(moved, 3000u * 14);
}

TEST(IdentifierMapTest, FindsIdGtinAndPartNumberInAnySpelling) {
  auto product = testing::MakeProduct("SKU-77", "");
  product.gtin = "0012345678905";
  product.mpn = "WH-1000XM5/B";
  IdentifierMap map;
  map.Add(product, 3);
  map.Seal();
  for (const char* query : {"sku-77", " SKU 77 ", "012345678905", "00012345678905", "wh1000xm5b"}) {
    EXPECT_THAT(map.Find(query), ElementsAre(3)) << query;
  }
  for (const char* query : {"", "sku", "77", "wh1000xm5", "kettle sku-77"}) {
    EXPECT_THAT(map.Find(query), IsEmpty()) << query;
  }
}

TEST(IdentifierMapTest, ShortPartNumbersNameNothing) {
  auto product = testing::MakeProduct("id1", "");
  product.mpn = "80";
  IdentifierMap map;
  map.Add(product, 0);
  map.Seal();
  EXPECT_THAT(map.Find("80"), IsEmpty());
}

TEST(PassagesTest, EmbeddingTextIsShortAndValid) {
  auto product = testing::MakeProduct("a", "Glide Kettle", "Torvane", "Kitchen > Kettles");
  product.attributes = {{"capacity", "1.7 l"}, {"wireless", "No"}, {"color", "red"}};
  for (int i = 0; i < 200; ++i) product.description += "\u6C34 \u58F6 ";
  const std::string text = EmbeddingText(product);
  EXPECT_THAT(text, HasSubstr("Glide Kettle\nTorvane\nKettles\ncapacity: 1.7 l; color: red\n"));
  EXPECT_LE(text.size(), 400u);
  EXPECT_NE(text.back(), '\xE6');  // not cut inside a character
}

TEST(PassagesTest, DeniedAttributesAreNotIndexed) {
  auto product = testing::MakeProduct("a", "");
  product.mpn = "K20-X";
  product.attributes = {{"wireless", "no"}, {"dishwasher safe", "yes"}};
  const RecordPassages passages = MakePassages(product);
  EXPECT_THAT(passages.attributes, Not(HasSubstr("wireless")));
  EXPECT_THAT(passages.attributes, HasSubstr("dishwasher safe"));
  EXPECT_THAT(passages.attributes, HasSubstr("K20-X"));
}

TEST(PassagesTest, DocumentsBecomeRecords) {
  catalog::Document document;
  document.id = "f1";
  document.kind = "faq";
  document.title = "Returns?";
  document.text = "30 days";
  const catalog::Product record = AsSearchRecord(document);
  EXPECT_EQ(record.id, "f1");
  EXPECT_EQ(record.title, "Returns?");
  EXPECT_EQ(record.description, "30 days");
  EXPECT_THAT(record.categories, ElementsAre("faq"));
}

}  // namespace
}  // namespace emptor::retrieval
