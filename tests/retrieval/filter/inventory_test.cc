// Changes of prices, stock and ratings are visible at once and kept by files and merges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/filter/filter_columns.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using testing::Ids;
using testing::Indexed;
using ::testing::IsEmpty;
using testing::MakeProduct;
using testing::Numbered;

class InventoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("emptor_inventory_") + info->name() + std::to_string(::getpid()));
    options_.index_directory = directory_.string();
    options_.now_unix = [] { return int64_t{0}; };
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static catalog::Product Lamp(size_t i, int64_t cents) {
    catalog::Product product = MakeProduct(Numbered("p", i), "brass lamp", "Brass", "Lamps", cents);
    product.item_group_id = Numbered("g", i);
    return product;
  }

  /// Lamps p0 ... at 100, 101 ... cents.
  std::unique_ptr<HybridSearcher> MakeShop(size_t count) const {
    std::vector<IndexedProduct> records;
    for (size_t i = 0; i < count; ++i) {
      records.push_back(Indexed(embedder_, Lamp(i, 100 + static_cast<int64_t>(i))));
    }
    auto shop = HybridSearcher::Build(std::move(records), embedder_, options_);
    EXPECT_TRUE(shop.ok()) << shop.status();
    return *std::move(shop);
  }

  static absl::Status Reprice(HybridSearcher& shop, std::vector<catalog::Product> products) {
    std::vector<IndexedProduct> records;
    for (catalog::Product& each : products) records.push_back({std::move(each), {}, true});
    return shop.Upsert(std::move(records));
  }

  static std::vector<std::string> Meeting(const HybridSearcher& shop, Filter filter) {
    const auto result =
        shop.Search({.query = "lamp", .filter = std::move(filter), .limit = 1000, .browse = true});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? Ids(*result) : std::vector<std::string>();
  }
  static std::vector<std::string> Costing(const HybridSearcher& shop, int64_t cents) {
    return Meeting(shop, {.min_price = cents, .max_price = cents, .currency = "USD"});
  }

  const HashingEmbedder embedder_{32};
  HybridOptions options_;
  std::filesystem::path directory_;
};

TEST_F(InventoryTest, FiltersAndFacetsSeeItAtOnceAndNoSegmentIsMade) {
  const auto shop = MakeShop(300);
  catalog::Product changed = Lamp(7, 5000);
  changed.availability = catalog::Availability::kOutOfStock;
  changed.rating = catalog::Rating{.value = 4.5, .count = 3};
  changed.stock = {{.location = "Berlin Mitte", .availability = catalog::Availability::kInStock}};
  ASSERT_TRUE(Reprice(*shop, {changed, Lamp(200, 6000)}).ok());
  EXPECT_EQ(shop->stats().fresh_vectors, 0u);
  EXPECT_EQ(shop->stats().tombstones, 0u);
  EXPECT_THAT(Costing(*shop, 5000), ElementsAre("p7"));
  EXPECT_THAT(Costing(*shop, 6000), ElementsAre("p200"));
  EXPECT_THAT(Costing(*shop, 107), IsEmpty());
  EXPECT_THAT(Costing(*shop, 108), ElementsAre("p8"));
  EXPECT_THAT(Meeting(*shop, {.availability = {catalog::Availability::kOutOfStock}}),
              ElementsAre("p7"));
  EXPECT_THAT(Meeting(*shop, {.location = "berlin mitte"}), ElementsAre("p7"));
  EXPECT_THAT(Meeting(*shop, {.min_rating = 4.5}), ElementsAre("p7"));
  ASSERT_TRUE(shop->FindFilterValue(FilterField::kLocation, "berlin mitte"));
  const auto facets = shop->CountFacets({.query = "lamp"}, "USD");
  ASSERT_TRUE(facets.ok());
  EXPECT_EQ(facets->availability.size(), 2u);
  EXPECT_EQ(facets->ratings.at(0).count, 1u);
  size_t priced = 0;
  for (const FacetPriceRange& range : facets->prices) priced += range.count;
  EXPECT_EQ(priced, 300u);

  changed.stock.clear();
  ASSERT_TRUE(Reprice(*shop, {changed}).ok());
  EXPECT_THAT(Meeting(*shop, {.location = "berlin mitte"}), IsEmpty());
  EXPECT_FALSE(shop->FindFilterValue(FilterField::kLocation, "berlin mitte"));
}

TEST_F(InventoryTest, AnotherCurrencyAndAPriceThatGoesAway) {
  const auto shop = MakeShop(3);
  catalog::Product euro = Lamp(1, 500);
  euro.price->currency = "EUR";
  catalog::Product priceless = Lamp(2, 1);
  priceless.price.reset();
  ASSERT_TRUE(Reprice(*shop, {euro, priceless}).ok());
  EXPECT_THAT(Meeting(*shop, {.min_price = 1, .currency = "EUR"}), ElementsAre("p1"));
  EXPECT_THAT(Meeting(*shop, {.min_price = 1, .currency = "USD"}), ElementsAre("p0"));
}

TEST_F(InventoryTest, AnotherGroupOrAnIdThatIsNotThereTakesTheLongWay) {
  const auto shop = MakeShop(3);
  catalog::Product moved = Lamp(1, 700);
  moved.item_group_id = "elsewhere";
  ASSERT_TRUE(Reprice(*shop, {moved}).ok());
  EXPECT_THAT(Meeting(*shop, {.item_group = "elsewhere"}), ElementsAre("p1"));
  EXPECT_THAT(Meeting(*shop, {.item_group = "g1"}), IsEmpty());
  EXPECT_THAT(Costing(*shop, 700), ElementsAre("p1"));

  shop->Remove(std::vector<std::string>{"p2"});
  EXPECT_EQ(Reprice(*shop, {Lamp(2, 900)}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Costing(*shop, 900), IsEmpty());
  IndexedProduct back = Indexed(embedder_, Lamp(2, 900));
  back.same_text = true;
  ASSERT_TRUE(shop->Upsert({back}).ok());
  EXPECT_THAT(Costing(*shop, 900), ElementsAre("p2"));
}

TEST_F(InventoryTest, AFailedBatchChangesNoPrice) {
  const auto shop = MakeShop(3);
  EXPECT_FALSE(Reprice(*shop, {Lamp(1, 700), Lamp(77, 700)}).ok());
  EXPECT_THAT(Costing(*shop, 700), IsEmpty());
  EXPECT_THAT(Costing(*shop, 101), ElementsAre("p1"));
}

TEST_F(InventoryTest, NewTextInTheSameBatchIsNotLostToALaterPrice) {
  const auto shop = MakeShop(3);
  catalog::Product renamed = Lamp(1, 500);
  renamed.title = "oak shelf";
  IndexedProduct later{renamed, {}, true};
  later.product.price->amount = 600;
  ASSERT_TRUE(shop->Upsert({Indexed(embedder_, renamed), later}).ok());
  EXPECT_THAT(Costing(*shop, 600), ElementsAre("p1"));
  const auto found = shop->Search({.query = "shelf", .mode = SearchMode::kLexical});
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(Ids(*found), ElementsAre("p1"));
}

TEST_F(InventoryTest, TheSavedIndexHoldsTheNewPrices) {
  {
    const auto shop = MakeShop(300);
    ASSERT_TRUE(Reprice(*shop, {Lamp(7, 5000), Lamp(250, 6000)}).ok());
    ASSERT_TRUE(shop->Save("v1", "").ok());
  }
  const auto opened = HybridSearcher::Open("v1", embedder_, options_);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_THAT(Costing(*opened->searcher, 5000), ElementsAre("p7"));
  EXPECT_THAT(Costing(*opened->searcher, 6000), ElementsAre("p250"));
  EXPECT_THAT(Costing(*opened->searcher, 107), IsEmpty());
  ASSERT_TRUE(Reprice(*opened->searcher, {Lamp(7, 8000)}).ok());
  EXPECT_THAT(Costing(*opened->searcher, 8000), ElementsAre("p7"));
}

/// Changes of every kind during merges and reads; at the end every price is the last one written.
TEST_F(InventoryTest, MergesKeepNewPricesWhileReadersRun) {
  options_.merges = {.min_fresh_records = 40, .fresh_share = 0.1, .first_immutable_records = 40};
  const auto shop = MakeShop(200);
  std::map<size_t, int64_t> prices;
  for (size_t i = 0; i < 200; ++i) prices[i] = 100 + static_cast<int64_t>(i);
  std::atomic<bool> done{false};
  std::vector<std::jthread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&] {
      while (!done) {
        EXPECT_GT(Meeting(*shop, {.min_price = 1, .currency = "USD"}).size(), 150u);
        EXPECT_TRUE(shop->CountFacets({.query = "lamp"}, "USD").ok());
      }
    });
  }
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    std::vector<catalog::Product> repriced;
    for (int n = 0; n < 8; ++n) {
      const auto at = std::next(prices.begin(), static_cast<long>(random() % prices.size()));
      at->second = static_cast<int64_t>(random() % 100000 + 1000);
      repriced.push_back(Lamp(at->first, at->second));
    }
    ASSERT_TRUE(Reprice(*shop, std::move(repriced)).ok());
    const size_t other = random() % 200;
    if (round % 10 == 9 && prices.size() > 180) {
      shop->Remove(std::vector<std::string>{Numbered("p", other)});
      prices.erase(other);
    } else {
      prices[other] = static_cast<int64_t>(random() % 100000 + 1000);
      ASSERT_TRUE(shop->Upsert({Indexed(embedder_, Lamp(other, prices[other]))}).ok());
    }
  }
  done = true;
  readers.clear();
  const auto check = [&] {
    EXPECT_EQ(shop->size(), prices.size());
    for (const auto& [i, cents] : prices) {
      EXPECT_THAT(Costing(*shop, cents), ::testing::Contains(Numbered("p", i)));
    }
    EXPECT_EQ(Meeting(*shop, {.min_price = 1, .currency = "USD"}).size(), prices.size());
  };
  check();
  shop->WaitForMerges();
  EXPECT_GT(shop->stats().full_compactions + shop->stats().minor_compactions, 0u);
  check();
}

/// Any order of changes gives what the rows would have given.
TEST_F(InventoryTest, ChangedColumnsSelectLikeColumnsOfTheNewRows) {
  std::mt19937 random(9);
  const auto draw = [&random](size_t i) {
    catalog::Product product = Lamp(i, static_cast<int64_t>(random() % 500 + 1));
    if (random() % 3 == 0) product.price->currency = "EUR";
    if (random() % 5 == 0) product.price.reset();
    product.availability = static_cast<catalog::Availability>(random() % 4);
    if (random() % 2 == 0) product.rating = catalog::Rating{.value = 4, .count = 1};
    if (random() % 2 == 0) product.popularity = static_cast<int64_t>(random() % 50);
    for (size_t s = 0; s < random() % 3; ++s) {
      product.stock.push_back({.location = Numbered("Store ", random() % 5),
                               .availability = catalog::Availability::kInStock});
    }
    return product;
  };
  std::vector<catalog::Product> now;
  FilterColumns built;
  for (size_t i = 0; i < 400; ++i) {
    now.push_back(draw(i));
    built.Add(MakeFilterRow(now.back()));
  }
  FilterColumns changed = built.With({});
  for (int round = 0; round < 20; ++round) {
    std::vector<InventoryChange> changes;
    for (uint32_t i = random() % 40; i < 400; i += 1 + random() % 40) {
      now[i] = draw(i);
      changes.push_back({i, MakeInventoryRow(now[i])});
    }
    changed = changed.With(changes);
  }
  FilterColumns fresh;
  for (const catalog::Product& product : now) fresh.Add(MakeFilterRow(product));
  const auto stored = FilterColumns::FromData(changed.data());
  ASSERT_TRUE(stored.ok()) << stored.status();
  const auto members = [](const FilterColumns& columns, const Filter& filter) {
    std::vector<uint32_t> records;
    columns.Select(CompiledFilter(filter), 0).ForEach([&](uint32_t r) { records.push_back(r); });
    return records;
  };
  for (const Filter& filter :
       {Filter{.min_price = 100, .max_price = 300, .currency = "USD"},
        Filter{.min_price = 100, .currency = "EUR"}, Filter{.max_price = 250},
        Filter{.availability = {catalog::Availability::kPreorder}}, Filter{.min_rating = 3},
        Filter{.location = "store 3"}, Filter{.location = "nowhere"}}) {
    EXPECT_EQ(members(changed, filter), members(fresh, filter));
    EXPECT_EQ(members(*stored, filter), members(fresh, filter));
  }
  for (uint32_t i = 0; i < 400; ++i) {
    EXPECT_EQ(changed.inventory().popularity(i), fresh.inventory().popularity(i)) << i;
    EXPECT_EQ(stored->inventory().popularity(i), fresh.inventory().popularity(i)) << i;
  }
  for (size_t s = 0; s < 5; ++s) {
    const std::string store = Numbered("store ", s);
    EXPECT_EQ(changed.Find(FilterField::kLocation, store)->records,
              fresh.Find(FilterField::kLocation, store)->records);
  }
  const auto differences = built.inventory().DifferencesTo(changed.inventory());
  EXPECT_GT(differences.size(), 100u);
  EXPECT_LT(differences.size(), 400u);
}

}  // namespace
}  // namespace emptor::retrieval
