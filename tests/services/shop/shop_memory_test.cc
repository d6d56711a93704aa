// Budgets of memory: what is counted, what is refused, who is closed.
#include "services/shop/shop_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop_directory.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Lines(int first, int count) {
  std::string lines;
  for (int i = first; i < first + count; ++i) {
    lines += fmt::format(R"({{"id":"p{0}","title":"Kettle {0} of steel, model K{0}",)"
                         R"("price":{{"amount":10,"currency":"USD"}}}})"
                         "\n",
                         i);
  }
  return lines;
}

absl::Status Import(Shop& shop, const std::string& lines,
                    catalog::ImportMode mode = catalog::ImportMode::kUpsert) {
  std::istringstream stream(lines);
  catalog::FeedOptions feed;
  feed.patches = mode != catalog::ImportMode::kUpsert;
  return shop.writer()
      .Import(stream, feed, {.mode = mode}, [](const catalog::LineResult&) {})
      .status();
}

class ShopMemoryTest : public ::testing::Test {
 protected:
  std::unique_ptr<Shop> Open(size_t memory_bytes) {
    ShopOptions options;
    options.directory = folder_.path();
    options.create_if_missing = true;
    options.memory_bytes = memory_bytes;
    auto shop = Shop::Open(options, embedder_);
    EXPECT_TRUE(shop.ok()) << shop.status();
    return shop.ok() ? *std::move(shop) : nullptr;
  }

  const emptor::testing::TemporaryDirectory folder_;
  const retrieval::HashingEmbedder embedder_{32};
};

TEST_F(ShopMemoryTest, CachesAreAPartOfTheBudget) {
  const catalog::StoreOptions usual, small = StoreWithin(32u << 20);
  EXPECT_EQ(small.write_buffer_bytes, 2u << 20);
  EXPECT_EQ(small.block_cache_bytes, 2u << 20);
  EXPECT_EQ(StoreWithin(0).block_cache_bytes, usual.block_cache_bytes);
  EXPECT_EQ(StoreWithin(64ull << 30).write_buffer_bytes, usual.write_buffer_bytes);
  EXPECT_EQ(StoreWithin(1).block_cache_bytes, 1u << 20);
}

TEST_F(ShopMemoryTest, CountsWhatItHolds) {
  const auto shop = Open(32u << 20);
  const size_t empty = shop->reader().memory_bytes();
  ASSERT_TRUE(Import(*shop, Lines(0, 300)).ok());
  const size_t some = shop->reader().memory_bytes();
  EXPECT_GT(some, empty + 300 * 2 * 32) << "the vectors alone";
  EXPECT_LT(some, empty + 300 * 4096);
  ASSERT_TRUE(Import(*shop, Lines(300, 600)).ok());
  EXPECT_GT(shop->reader().memory_bytes(), some);
}

TEST_F(ShopMemoryTest, TextBeyondTheBudgetIsRefusedAndPricesAreTaken) {
  ASSERT_TRUE(Import(*Open(32u << 20), Lines(0, 400)).ok());
  const size_t caches = StoreBytes(StoreWithin(1));
  size_t held = 0;
  {
    const auto whole = Open(32u << 20);  // as it is after a restart
    whole->lifecycle().WaitForWords();
    held = whole->reader().memory_bytes() - StoreBytes(StoreWithin(32u << 20));
  }
  const auto shop = Open(caches + held / 2);
  shop->lifecycle().WaitForWords();
  const absl::Status refused = Import(*shop, Lines(1000, 1));
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("shop_megabytes"));
  EXPECT_EQ(shop->reader().info().products, 400u);
  EXPECT_TRUE(shop->reader().health().ok()) << "the store is well";
  EXPECT_TRUE(Import(*shop, "{\"id\":\"p7\",\"price\":{\"amount\":5,\"currency\":\"USD\"}}\n",
                     catalog::ImportMode::kUpdate)
                  .ok());
  EXPECT_EQ((*shop->reader().FindProduct("p7"))->price->amount, 5);
  EXPECT_TRUE(Import(*shop, "{\"id\":\"p8\"}\n", catalog::ImportMode::kDelete).ok());
  EXPECT_EQ(shop->reader().info().products, 399u);
}

TEST_F(ShopMemoryTest, IdleShopsMakeRoom) {
  ShopDirectoryOptions options;
  options.data_directory = folder_.path();
  options.shop.create_if_missing = true;
  options.shop.memory_bytes = 32u << 20;
  const size_t one = StoreBytes(StoreWithin(32u << 20));
  options.max_open_bytes = 2 * one + one / 2;  // two small shops
  ShopDirectory shops(options, embedder_);
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(shops.Create(name).ok());
    ASSERT_TRUE(Import(**shops.Find(name), Lines(0, 3)).ok());
  }
  std::vector<std::string> open;
  for (const ShopInfo& info : shops.List()) {
    EXPECT_EQ(info.is_open, info.memory_bytes > 0) << info.name;
    if (info.is_open) open.push_back(info.name);
  }
  EXPECT_THAT(open, ElementsAre("b", "c"));
  EXPECT_EQ((*shops.Find("a"))->reader().info().products, 3u)
      << "opened again when it is asked for";
}

}  // namespace
}  // namespace emptor::services
