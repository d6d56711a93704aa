// What was written while a generation is built is held against the shop's budget of memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop_directory.h"
#include "services/shop/shop_memory.h"
#include "tests/services/shop/shop_writes.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using testing::FillShop;
using ::testing::HasSubstr;
using testing::ImportLines;
using testing::ProductLine;
using testing::SetPrice;
using Code = absl::StatusCode;

constexpr int kMany = 250;  // less than a batch: a budget is looked at before each
constexpr size_t kPlenty = 8u << 20;

class CarriedMemoryTest : public ::testing::Test {
 protected:
  std::unique_ptr<ShopDirectory> Open(size_t memory_bytes, const std::string& name) const {
    ShopDirectoryOptions options;
    options.data_directory = folder_.path() + "/" + name;
    options.shop.create_if_missing = true;
    options.shop.memory_bytes = memory_bytes;
    return std::make_unique<ShopDirectory>(options, embedder_);
  }

  /// Between what a shop of 3 products takes and one of kMany.
  size_t SmallBudget() const {
    const auto shops = Open(kPlenty, "measured");
    const auto shop = *shops->Find(kDefaultShop);
    EXPECT_TRUE(FillShop(*shop, 3, "old").ok());
    shop->lifecycle().WaitForWords();
    const size_t few = shop->reader().memory_bytes();
    EXPECT_TRUE(FillShop(*shop, kMany, "new").ok());
    shop->lifecycle().WaitForWords();
    return (few + shop->reader().memory_bytes()) / 2;
  }

  /// A shop of 3 products under that budget; its next generation is beyond it once it is filled.
  absl::Status Rebuild(ShopDirectory& shops, const std::function<void(Shop& served)>& meanwhile) {
    const auto served = *shops.Find(kDefaultShop);
    absl::Status status = FillShop(*served, 3, "old");
    if (!status.ok()) return status;
    return shops.Rebuild(kDefaultShop, {}, [&](Shop& next) {
      absl::Status filled = FillShop(next, kMany, "new");
      next.lifecycle().WaitForWords();
      meanwhile(*served);
      return filled;
    });
  }

  const emptor::testing::TemporaryDirectory folder_;
  const retrieval::HashingEmbedder embedder_{32};
};

TEST_F(CarriedMemoryTest, TextThatDoesNotFitEndsTheBuildAndStaysWhereItWasWritten) {
  const auto shops = Open(SmallBudget(), "shop");
  const absl::Status status = Rebuild(*shops, [](Shop& served) {
    const auto written = ImportLines(served, ProductLine("late", "written meanwhile"));
    EXPECT_TRUE(written.ok()) << written.status();
  });
  EXPECT_EQ(status.code(), Code::kResourceExhausted) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("shop_megabytes"));
  const auto served = *shops->Find(kDefaultShop);
  EXPECT_EQ(served->reader().info().products, 4u);
  EXPECT_TRUE((*served->reader().FindProduct("late")).has_value());
  EXPECT_TRUE(SetPrice(*served, "late", 5).ok()) << "it is written as before";
}

TEST_F(CarriedMemoryTest, DocumentsAreTextToo) {
  const auto shops = Open(SmallBudget(), "shop");
  const absl::Status status = Rebuild(*shops, [](Shop& served) {
    const auto written =
        ImportLines(served, R"({"id":"d","kind":"policy","title":"Returns","text":"Thirty days."})"
                            "\n");
    EXPECT_TRUE(written.ok()) << written.status();
  });
  EXPECT_EQ(status.code(), Code::kResourceExhausted) << status;
}

TEST_F(CarriedMemoryTest, PricesAndDeletionsAreCarriedAndNothingIsIndexedForThem) {
  const auto shops = Open(SmallBudget(), "shop");
  const absl::Status status = Rebuild(*shops, [](Shop& served) {
    EXPECT_TRUE(SetPrice(served, "p1", 777).ok());
    EXPECT_TRUE(ImportLines(served, "{\"id\":\"p2\",\"deleted\":true}\n").ok());
  });
  ASSERT_TRUE(status.ok()) << status;
  const auto shop = *shops->Find(kDefaultShop);
  EXPECT_EQ(shop->reader().info().products, kMany - 1u);
  const auto product = *shop->reader().FindProduct("p1");
  ASSERT_TRUE(product && product->price);
  EXPECT_EQ(product->price->amount, 777);
  EXPECT_EQ(product->title, "Kettle 1 of new");
  EXPECT_EQ(shop->reader().search_stats().tombstones, 1u) << "of p2";
}

TEST_F(CarriedMemoryTest, TheNamesOfWhatIsWrittenCount) {
  const auto shops = Open(kPlenty, "shop");
  const auto shop = *shops->Find(kDefaultShop);
  ASSERT_TRUE(FillShop(*shop, kMany, "old").ok());
  shop->lifecycle().WaitForWords();
  const size_t before = shop->reader().memory_bytes();
  ASSERT_TRUE(shop->lifecycle().FollowWrites(shop->lifecycle().PauseWrites()).ok());
  std::string prices;
  for (int i = 0; i < kMany; ++i) {
    prices += fmt::format(R"({{"id":"p{}","price":{{"amount":5,"currency":"USD"}}}})"
                          "\n",
                          i);
  }
  for (int round = 0; round < 2; ++round) {  // a name counts once
    ASSERT_TRUE(ImportLines(*shop, prices, catalog::ImportMode::kUpdate).ok());
    EXPECT_GE(shop->reader().memory_bytes(), before + kMany * 100u);
    EXPECT_LT(shop->reader().memory_bytes(), before + kMany * 400u);
  }
  const WrittenRecords taken = shop->lifecycle().TakeWritten(shop->lifecycle().PauseWrites());
  EXPECT_GE(taken.bytes(), kMany * 100u);
  EXPECT_EQ(shop->reader().memory_bytes(), before);
  ASSERT_TRUE(SetPrice(*shop, "p1", 6).ok());
  EXPECT_GT(shop->reader().memory_bytes(), before);
  shop->lifecycle().StopFollowing(shop->lifecycle().PauseWrites());
  EXPECT_EQ(shop->reader().memory_bytes(), before);
}

}  // namespace
}  // namespace emptor::services
