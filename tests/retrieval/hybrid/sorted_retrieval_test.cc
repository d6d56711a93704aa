// Sorted retrieval: browsing, and sorted searches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using testing::Ids;
using testing::Indexed;
using testing::MakeProduct;

struct Facts {
  const char* id;
  std::optional<int64_t> cents;
  std::optional<catalog::Rating> rating;
  std::optional<int64_t> popularity;
  catalog::Availability stock = catalog::Availability::kInStock;
  const char* updated = "";
};

class SortedRetrievalTest : public ::testing::Test {
 protected:
  SortedRetrievalTest() {
    using catalog::Availability;
    Add({"a", 500, catalog::Rating{5, 1}, 10, Availability::kInStock, "2026-01-01T00:00:00Z"});
    Add({"b", 300, catalog::Rating{4.6, 300}, 10, Availability::kInStock, "2026-03-01T00:00:00Z"});
    Add({"c", 900, catalog::Rating{2, 80}, 500, Availability::kOutOfStock, "2026-02-01T00:00:00Z"});
    Add({"d", std::nullopt, std::nullopt, std::nullopt, Availability::kPreorder});
    Add({"e", 300, std::nullopt, std::nullopt});
    Add({"f", 300, std::nullopt, std::nullopt});
    now_ = 0;
    HybridOptions options;
    options.now_unix = [this] { return now_; };
    searcher_ =
        *HybridSearcher::Build({records_.begin(), records_.begin() + 3}, embedder_, options);
    // The rest lies in another segment.
    EXPECT_TRUE(searcher_->Upsert({records_.begin() + 3, records_.end()}).ok());
  }

  void Add(const Facts& facts) {
    catalog::Product product = MakeProduct(facts.id, "desk lamp", "Brass", "Lamps", facts.cents);
    product.rating = facts.rating;
    product.popularity = facts.popularity;
    product.availability = facts.stock;
    product.updated_at = facts.updated;
    records_.push_back(Indexed(embedder_, std::move(product)));
  }

  std::vector<std::string> Sorted(SortOrder sort, bool browse = true, int limit = 10) const {
    const auto found = searcher_->Search(
        {.query = browse ? "" : "lamp", .limit = limit, .browse = browse, .sort = sort});
    EXPECT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->matched, 6u);
    return Ids(*found);
  }

  HashingEmbedder embedder_{32};
  std::vector<IndexedProduct> records_;
  int64_t now_ = 0;
  std::unique_ptr<HybridSearcher> searcher_;
};

TEST_F(SortedRetrievalTest, BrowsingBeginsWithWhatCanBeBoughtAndIsAskedForMost) {
  // a and b are as popular: one review of five stars ranks below 300 of 4.6.
  EXPECT_THAT(Sorted(SortOrder::kRelevance), ElementsAre("b", "a", "e", "f", "d", "c"));
  EXPECT_THAT(Sorted(SortOrder::kRelevance, true, 2), ElementsAre("b", "a"));
}

TEST_F(SortedRetrievalTest, EveryOrderIsTotalWithMissingValuesLast) {
  for (const bool browse : {true, false}) {
    EXPECT_THAT(Sorted(SortOrder::kPopularity, browse), ElementsAre("c", "b", "a", "e", "f", "d"));
    EXPECT_THAT(Sorted(SortOrder::kRating, browse), ElementsAre("b", "a", "c", "e", "f", "d"));
    EXPECT_THAT(Sorted(SortOrder::kPriceAscending, browse),
                ElementsAre("b", "e", "f", "a", "c", "d"));
    EXPECT_THAT(Sorted(SortOrder::kPriceDescending, browse),
                ElementsAre("c", "a", "b", "e", "f", "d"));
    EXPECT_THAT(Sorted(SortOrder::kNewest, browse), ElementsAre("b", "c", "a", "e", "f", "d"));
  }
}

TEST_F(SortedRetrievalTest, ReviewsAndAgeChangeWithoutTheText) {
  catalog::Product a = records_[0].product;
  a.rating = catalog::Rating{5, 4000};
  a.updated_at = "2026-04-01T00:00:00Z";
  ASSERT_TRUE(searcher_->Upsert({{a, {}, /*same_text=*/true}}).ok());
  EXPECT_EQ(searcher_->stats().fresh_vectors, 3u);
  EXPECT_EQ(Sorted(SortOrder::kRating).front(), "a");
  EXPECT_EQ(Sorted(SortOrder::kNewest).front(), "a");
}

TEST_F(SortedRetrievalTest, SortsByWhatIsPayableNowInTheCurrencyThatIsAskedFor) {
  catalog::Product c = records_[2].product;
  c.sale_price = catalog::Money{100, "USD"};
  c.sale_price_effective = catalog::TimeRange{1000, 2000};
  catalog::Product d = records_[3].product;
  d.price = catalog::Money{1, "EUR"};
  ASSERT_TRUE(searcher_->Upsert({{c, {}, true}, {d, {}, true}}).ok());
  const auto first = [this](const std::string& currency) {
    const auto found = searcher_->Search(
        {.query = "", .browse = true, .sort = SortOrder::kPriceAscending, .currency = currency});
    return Ids(*found).front();
  };
  EXPECT_EQ(first("USD"), "b");
  now_ = 1500;
  EXPECT_EQ(first("USD"), "c");
  EXPECT_EQ(first("EUR"), "d");
}

// A sorted search shows what holds all of the words: the cheapest record with one of them would
// come first otherwise.
TEST_F(SortedRetrievalTest, ASortedSearchReturnsRecordsWithEveryWord) {
  ASSERT_TRUE(searcher_
                  ->Upsert({Indexed(embedder_, MakeProduct("x", "lamp shade", "", "", 1)),
                            Indexed(embedder_, MakeProduct("y", "desk mat", "", "", 2))})
                  .ok());
  const auto ids = [this](const std::string& query) {
    return Ids(*searcher_->Search({.query = query, .sort = SortOrder::kPriceAscending}));
  };
  EXPECT_THAT(ids("desk lamp"), ElementsAre("b", "e", "f", "a", "c", "d"));
  EXPECT_THAT(ids("lamp shade"), ElementsAre("x"));
  // A word that no record has together with the others, or at all, is skipped.
  EXPECT_THAT(ids("shade mat of velvet"), ElementsAre("x"));
  const auto facets =
      searcher_->CountFacets({.query = "desk lamp", .sort = SortOrder::kPriceAscending}, "USD");
  ASSERT_TRUE(facets.ok());
  EXPECT_EQ(facets->brands.at(0).count, 6u);
  EXPECT_EQ(facets->brands.size(), 1u);
}

// What a heap keeps is what sorting all would give, over segments, at every limit.
TEST(SortedRetrievalPropertyTest, TheFirstOfAListAreThoseOfTheWholeList) {
  std::mt19937 random(5);
  const HashingEmbedder embedder(16);
  std::vector<IndexedProduct> records;
  for (size_t i = 0; i < 400; ++i) {
    auto product =
        MakeProduct(testing::Numbered("p", i), "lamp", "", "", static_cast<int64_t>(random() % 50));
    if (random() % 2 == 0) product.popularity = static_cast<int64_t>(random() % 5);
    if (random() % 2 == 0) {
      product.rating =
          catalog::Rating{static_cast<double>(random() % 6), static_cast<int64_t>(random() % 20)};
    }
    records.push_back(Indexed(embedder, std::move(product)));
  }
  std::shuffle(records.begin(), records.end(), random);
  const std::vector<IndexedProduct> first(records.begin(), records.begin() + 250);
  const auto parts = *HybridSearcher::Build(first, embedder, {});
  ASSERT_TRUE(parts->Upsert({records.begin() + 250, records.begin() + 330}).ok());
  ASSERT_TRUE(parts->Upsert({records.begin() + 330, records.end()}).ok());
  const auto whole = *HybridSearcher::Build(records, embedder, {});
  for (const auto& [name, sort] : kSortOrders) {
    SearchRequest request{.query = "", .limit = 400, .browse = true, .sort = sort};
    const auto all = Ids(*whole->Search(request));
    ASSERT_EQ(all.size(), 400u);
    for (const int limit : {1, 7, 399}) {
      request.limit = limit;
      auto want = all;
      want.resize(static_cast<size_t>(limit));
      EXPECT_EQ(Ids(*parts->Search(request)), want) << name << " " << limit;
    }
  }
}

}  // namespace
}  // namespace emptor::retrieval
