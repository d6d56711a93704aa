// Post-ranking: stock and popularity, merchandising, variants, diversity.
#include "retrieval/hybrid/post_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::Not;

class PostRankingTest : public ::testing::Test {
 protected:
  catalog::Product& Add(std::string id, std::string title, std::string group = "") {
    records_.push_back({testing::MakeProduct(std::move(id), std::move(title)), {}});
    records_.back().product.item_group_id = std::move(group);
    return records_.back().product;
  }

  std::unique_ptr<HybridSearcher> Build() {
    for (IndexedProduct& each : records_) {
      each = testing::Indexed(embedder_, std::move(each.product));
    }
    auto built = HybridSearcher::Build(records_, embedder_, {});
    EXPECT_TRUE(built.ok()) << built.status();
    return *std::move(built);
  }

  SearchResult Find(const HybridSearcher& searcher, const SearchRequest& request) {
    auto found = searcher.Search(request);
    EXPECT_TRUE(found.ok()) << found.status();
    for (size_t i = 1; found.ok() && i < found->hits.size(); ++i) {
      EXPECT_GE(found->hits[i - 1].score, found->hits[i].score) << "scores fall";
    }
    return found.ok() ? *std::move(found) : SearchResult();
  }

  const HashingEmbedder embedder_{32};
  std::vector<IndexedProduct> records_;
};

TEST_F(PostRankingTest, OfEqualsThePopularAndTheAvailableComeFirst) {
  Add("a", "steel kettle").availability = catalog::Availability::kOutOfStock;
  Add("b", "steel kettle");
  Add("c", "steel kettle").popularity = 500;
  Add("d", "steel kettle small").popularity = 5000;
  const auto searcher = Build();
  EXPECT_THAT(
      testing::Ids(Find(*searcher, {.query = "steel kettle", .mode = SearchMode::kLexical})),
      ElementsAre("c", "b", "d", "a"));
  const FusionOptions plain{.popularity = 0, .out_of_stock = 0};
  EXPECT_THAT(
      testing::Ids(Find(*searcher,
                        {.query = "steel kettle", .mode = SearchMode::kLexical, .fusion = &plain})),
      ElementsAre("a", "b", "c", "d"));
}

TEST_F(PostRankingTest, ARecordThatTheQueryNamesKeepsItsPlaceOutOfStock) {
  Add("k1", "kettle").availability = catalog::Availability::kOutOfStock;
  Add("k2", "kettle k1 bag").popularity = 900;
  const auto searcher = Build();
  const SearchResult found = Find(*searcher, {.query = "k1"});
  EXPECT_EQ(found.hits.front().id, "k1");
  EXPECT_EQ(found.hits.front().score, 1);
}

TEST_F(PostRankingTest, OneHitRepresentsItsVariants) {
  Add("s1", "steel kettle", "steel");
  Add("s2", "steel kettle red", "steel");
  Add("s3", "pot", "steel");
  Add("g1", "glass kettle", "glass");
  Add("x", "kettle");
  const auto searcher = Build();
  const SearchResult found = Find(*searcher, {.query = "steel kettle", .group_variants = true});
  EXPECT_THAT(testing::Ids(found), ElementsAre("s1", "x", "g1"));
  EXPECT_EQ(found.hits[0].variants, 3u);
  EXPECT_THAT(found.hits[0].variant_ids, ElementsAre("s1", "s2", "s3"));
  EXPECT_EQ(found.hits[1].group, 0u);
  EXPECT_EQ(found.hits[1].variants, 0u);
  EXPECT_EQ(found.hits[2].variants, 1u);
  const SearchResult all = Find(*searcher, {.query = "steel kettle"});
  EXPECT_THAT(testing::Ids(all), Contains("s2"));
}

TEST_F(PostRankingTest, VariantsThatTheFilterShutsOutAreNotCounted) {
  Add("s1", "steel kettle", "steel").brand = "Velsar";
  Add("s2", "steel kettle red", "steel").brand = "Torvane";
  const auto searcher = Build();
  Filter filter;
  filter.brands = {"Torvane"};
  const SearchResult found =
      Find(*searcher, {.query = "kettle", .filter = filter, .group_variants = true});
  ASSERT_THAT(testing::Ids(found), ElementsAre("s2"));
  EXPECT_THAT(found.hits[0].variant_ids, ElementsAre("s2"));
}

TEST_F(PostRankingTest, AGroupLargerThanTheCandidatesHidesNoOtherRecord) {
  for (size_t i = 0; i < 900; ++i) Add(testing::Numbered("v", i), "kettle", "flood");
  for (size_t i = 0; i < 5; ++i) Add(testing::Numbered("w", i), "kettle with a lid and a spout");
  const auto searcher = Build();
  for (const bool browse : {false, true}) {
    const SearchResult found =
        Find(*searcher, {.query = "kettle", .browse = browse, .group_variants = true});
    ASSERT_EQ(found.hits.size(), 6u) << browse;
    EXPECT_EQ(found.hits[0].variants, 900u);
    EXPECT_EQ(found.hits[0].variant_ids.size(), kMaxVariantIds);
  }
}

TEST_F(PostRankingTest, VariantsAreFoundInEverySegmentAndTheDeletedAreGone) {
  Add("s1", "steel kettle", "steel");
  Add("s2", "steel kettle red", "steel");
  const auto searcher = Build();
  IndexedProduct later{testing::MakeProduct("s3", "steel kettle blue"), {}};
  later.product.item_group_id = "steel";
  ASSERT_TRUE(searcher->Upsert({testing::Indexed(embedder_, later.product)}).ok());
  const std::vector<std::string> gone = {"s2"};
  searcher->Remove(gone);
  const SearchResult found = Find(*searcher, {.query = "kettle", .group_variants = true});
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_THAT(found.hits[0].variant_ids, ElementsAre("s1", "s3"));
}

TEST_F(PostRankingTest, DiversityPutsUnlikeHitsForwardAndLosesNone) {
  for (size_t i = 0; i < 4; ++i) Add(testing::Numbered("a", i), "steel kettle");
  Add("b", "steel kettle whistle for camping stoves");
  const auto searcher = Build();
  const SearchResult plain = Find(*searcher, {.query = "steel kettle"});
  const SearchResult mixed = Find(*searcher, {.query = "steel kettle", .diversity = 0.7f});
  EXPECT_EQ(testing::Ids(plain).back(), "b");
  EXPECT_EQ(testing::Ids(mixed)[1], "b");
  EXPECT_THAT(testing::Ids(mixed), ::testing::UnorderedElementsAreArray(testing::Ids(plain)));
  for (size_t i = 0; i < plain.hits.size(); ++i) {
    EXPECT_EQ(plain.hits[i].score, mixed.hits[i].score);
  }
}

TEST_F(PostRankingTest, WishesPinBuryAndBoost) {
  Add("a", "kettle");
  Add("b", "kettle with lid");
  Add("c", "kettle with lid and spout");
  Add("d", "stove");
  const auto searcher = Build();
  const auto find = [&](const Merchandising& merchandising) {
    return Find(*searcher,
                {.query = "kettle", .mode = SearchMode::kLexical, .merchandising = &merchandising});
  };
  EXPECT_THAT(testing::Ids(find({})), ElementsAre("a", "b", "c"));
  const SearchResult pinned = find({.pinned = {"d", "gone", "c"}, .buried = {"a"}, .boosted = {}});
  EXPECT_THAT(testing::Ids(pinned), ElementsAre("d", "c", "b", "a"));
  EXPECT_TRUE(pinned.hits[0].pinned);
  EXPECT_FALSE(pinned.hits[2].pinned);
  EXPECT_EQ(pinned.matched, 4u);
  EXPECT_THAT(testing::Ids(find({.pinned = {}, .buried = {}, .boosted = {{"c", 5}, {"a", 0.1f}}})),
              ElementsAre("c", "b", "a"));
}

TEST_F(PostRankingTest, AFilterShutsOutWhatIsPinned) {
  Add("a", "kettle").brand = "Velsar";
  Add("b", "kettle").brand = "Torvane";
  const auto searcher = Build();
  const Merchandising merchandising{.pinned = {"b"}, .buried = {}, .boosted = {}};
  Filter filter;
  filter.brands = {"Velsar"};
  for (const bool browse : {false, true}) {
    const SearchResult found = Find(
        *searcher,
        {.query = "kettle", .filter = filter, .browse = browse, .merchandising = &merchandising});
    EXPECT_THAT(testing::Ids(found), ElementsAre("a"));
    EXPECT_EQ(found.matched, 1u);
  }
}

TEST_F(PostRankingTest, AllPinnedVariantsStayAndRepresentTheirGroup) {
  Add("s1", "steel kettle", "steel");
  Add("s2", "steel kettle red", "steel");
  Add("s3", "steel kettle blue", "steel");
  const auto searcher = Build();
  const Merchandising merchandising{.pinned = {"s3", "s2"}, .buried = {}, .boosted = {}};
  EXPECT_THAT(testing::Ids(Find(*searcher, {.query = "kettle",
                                            .diversity = 0.5f,
                                            .group_variants = true,
                                            .merchandising = &merchandising})),
              ElementsAre("s3", "s2"));
}

}  // namespace
}  // namespace emptor::retrieval
