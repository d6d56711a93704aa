// Facets: each count is the number of records that choosing the value leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "retrieval/embedding/hashing_embedder.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using testing::Indexed;
using testing::MakeProduct;

std::vector<catalog::Product> RandomShop(size_t count) {
  std::mt19937 random(17);
  const auto pick = [&](auto... options) {
    const std::vector<std::string> all = {options...};
    return all[random() % all.size()];
  };
  std::vector<catalog::Product> shop;
  for (size_t i = 0; i < count; ++i) {
    auto product = MakeProduct(testing::Numbered("p", i), pick("kettle", "red kettle", "toaster"),
                               pick("Sony", "Bose", "LG", ""), pick("Kitchen > Kettles", "Office"),
                               static_cast<int64_t>(random() % 20000));
    product.attributes.push_back({"material", pick("steel", "glass", "Steel")});
    product.attributes.push_back({"serial", testing::Numbered("s", i)});
    product.availability = static_cast<catalog::Availability>(random() % 2);
    if (random() % 2 == 0) product.rating = catalog::Rating{(random() % 51) / 10.0, 2};
    shop.push_back(std::move(product));
  }
  return shop;
}

class FacetsTest : public ::testing::Test {
 protected:
  FacetsTest() {
    std::vector<IndexedProduct> records;
    const auto shop = RandomShop(300);
    for (size_t i = 0; i < 250; ++i) records.push_back(Indexed(embedder_, shop[i]));
    searcher_ = *HybridSearcher::Build(std::move(records), embedder_, {});
    // The rest lies in a fresh segment, and some records are replaced or gone.
    std::vector<IndexedProduct> fresh;
    for (size_t i = 240; i < 300; ++i) fresh.push_back(Indexed(embedder_, shop[i]));
    EXPECT_TRUE(searcher_->Upsert(std::move(fresh)).ok());
    const std::vector<std::string> gone = {"p3", "p250"};
    searcher_->Remove(gone);
  }

  size_t Total(const Filter& filter, bool browse) const {
    SearchRequest request{.query = "kettle", .filter = filter, .mode = SearchMode::kLexical};
    request.browse = browse;
    return searcher_->Search(request)->matched;
  }

  void CheckCounts(const Filter& filter, bool browse) {
    SearchRequest request{.query = "kettle", .filter = filter, .mode = SearchMode::kLexical};
    request.browse = browse;
    const auto facets = searcher_->CountFacets(request, "USD");
    ASSERT_TRUE(facets.ok()) << facets.status();
    const auto check = [&](size_t count, auto&& choose) {
      Filter chosen = filter;
      choose(chosen);
      EXPECT_EQ(Total(chosen, browse), count);
    };
    for (const FacetValue& each : facets->brands) {
      check(each.count, [&](Filter& f) { f.brands = {each.value}; });
    }
    for (const FacetValue& each : facets->categories) {
      check(each.count, [&](Filter& f) { f.categories = {each.value}; });
    }
    for (const FacetValue& each : facets->availability) {
      check(each.count,
            [&](Filter& f) { f.availability = {*catalog::ParseAvailability(each.value)}; });
    }
    for (const FacetRating& each : facets->ratings) {
      check(each.count, [&](Filter& f) { f.min_rating = each.min; });
    }
    size_t priced = 0;
    for (const FacetPriceRange& each : facets->prices) {
      priced += each.count;
      check(each.count, [&](Filter& f) {
        f.min_price = each.min;
        f.max_price = each.max;
        f.currency = "USD";
      });
    }
    Filter any_price = filter;
    any_price.min_price = any_price.max_price = std::nullopt;
    EXPECT_EQ(priced, Total(any_price, browse));
    for (const FacetAttribute& attribute : facets->attributes) {
      for (const FacetValue& each : attribute.values) {
        check(each.count, [&](Filter& f) { f.attributes = {{attribute.name, {each.value}}}; });
      }
    }
  }

  HashingEmbedder embedder_{32};
  std::unique_ptr<HybridSearcher> searcher_;
};

TEST_F(FacetsTest, CountsAreWhatChoosingTheValueLeaves) {
  for (const bool browse : {false, true}) {
    CheckCounts({}, browse);
    CheckCounts({.brands = {"Sony"}}, browse);
    Filter chosen{.max_price = 9000, .currency = "USD", .brands = {"Bose", "LG"}};
    chosen.min_rating = 2;
    chosen.attributes = {{"Material", {"glass"}}};
    chosen.excluded_terms = {"red"};
    CheckCounts(chosen, browse);
  }
}

TEST_F(FacetsTest, NamesThePropertiesThatPartTheResult) {
  const auto facets = searcher_->CountFacets({.query = "kettle"}, "USD");
  ASSERT_TRUE(facets.ok());
  // "serial" has as many values as records: it parts nothing. "Steel" and "steel" are one value.
  ASSERT_FALSE(facets->attributes.empty());
  EXPECT_EQ(facets->attributes[0].name, "material");
  EXPECT_EQ(facets->attributes[0].values.size(), 2u);
  EXPECT_LE(facets->prices.size(), 5u);
  EXPECT_EQ(facets->brands.size(), 3u);
}

TEST_F(FacetsTest, TheSiblingsOfAChosenValueStay) {
  const auto all = searcher_->CountFacets({.query = "kettle"}, "USD");
  const auto chosen =
      searcher_->CountFacets({.query = "kettle", .filter = {.brands = {"Sony"}}}, "USD");
  ASSERT_TRUE(all.ok() && chosen.ok());
  ASSERT_EQ(all->brands.size(), chosen->brands.size());
  for (size_t i = 0; i < all->brands.size(); ++i) {
    EXPECT_EQ(all->brands[i].value, chosen->brands[i].value);
    EXPECT_EQ(all->brands[i].count, chosen->brands[i].count);
  }
}

}  // namespace
}  // namespace emptor::retrieval
