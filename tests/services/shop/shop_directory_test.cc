// Many shops in one process, and generations of each.
#include "services/shop/shop_directory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "retrieval/embedding/hashing_embedder.h"
#include "tests/services/shop/shop_writes.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::FillShop;
using ::testing::HasSubstr;
using Code = absl::StatusCode;

std::string TitleIn(const Shop& shop, const std::string& id) {
  const auto product = shop.reader().FindProduct(id);
  return product.ok() && *product ? (*product)->title : "nothing";
}

class ShopDirectoryTest : public ::testing::Test {
 protected:
  std::unique_ptr<ShopDirectory> Open(size_t max_open = 64) {
    ShopDirectoryOptions options;
    options.data_directory = folder_.path();
    options.shop.create_if_missing = true;
    options.max_open = max_open;
    return std::make_unique<ShopDirectory>(options, embedder_);
  }
  static std::vector<std::string> Names(ShopDirectory& shops) {
    std::vector<std::string> names;
    for (const ShopInfo& info : shops.List()) names.push_back(info.name);
    return names;
  }

  const emptor::testing::TemporaryDirectory folder_;
  const retrieval::HashingEmbedder embedder_{32};
};

TEST_F(ShopDirectoryTest, EachShopHasItsOwnProducts) {
  const auto shops = Open();
  ASSERT_TRUE(shops->Create("shoes").ok());
  ASSERT_TRUE(shops->Create("tools").ok());
  ASSERT_TRUE(FillShop(**shops->Find("shoes"), 2, "shoes").ok());
  ASSERT_TRUE(FillShop(**shops->Find("tools"), 3, "tools").ok());
  EXPECT_EQ(TitleIn(**shops->Find("shoes"), "p1"), "Kettle 1 of shoes");
  EXPECT_EQ(TitleIn(**shops->Find("tools"), "p1"), "Kettle 1 of tools");
  EXPECT_EQ((*shops->Find(kDefaultShop))->reader().info().products, 0u);
  EXPECT_THAT(Names(*shops), ElementsAre("default", "shoes", "tools"));
  EXPECT_EQ(shops->Create("tools").code(), Code::kAlreadyExists);
}

TEST_F(ShopDirectoryTest, RefusesNamesThatAreNone) {
  const auto shops = Open();
  for (const char* name : {"", "..", "../x", "A", "-x", "a/b", "a b"}) {
    EXPECT_EQ(shops->Find(name).status().code(), Code::kInvalidArgument) << name;
    EXPECT_EQ(shops->Create(name).code(), Code::kInvalidArgument) << name;
    EXPECT_EQ(shops->Delete(name).code(), Code::kInvalidArgument) << name;
  }
  EXPECT_EQ(shops->Find("nobody").status().code(), Code::kNotFound);
  EXPECT_EQ(shops->Delete("nobody").code(), Code::kNotFound);
  EXPECT_EQ(shops->Delete(kDefaultShop).code(), Code::kFailedPrecondition);
}

TEST_F(ShopDirectoryTest, ABrokenShopConcernsNobodyElse) {
  auto shops = Open();
  ASSERT_TRUE(shops->Create("sound").ok());
  ASSERT_TRUE(shops->Create("broken").ok());
  ASSERT_TRUE(FillShop(**shops->Find("broken"), 2, "x").ok());
  ASSERT_TRUE(FillShop(**shops->Find("sound"), 2, "sound").ok());
  shops.reset();
  fs::resize_file(folder_.path() + "/shops/broken/gen-000001/catalog/SEAL", 3);
  shops = Open();
  EXPECT_EQ(shops->Find("broken").status().code(), Code::kDataLoss);
  EXPECT_EQ(TitleIn(**shops->Find("sound"), "p0"), "Kettle 0 of sound");
  for (const ShopInfo& info : shops->List()) {
    EXPECT_EQ(info.health.ok(), info.name != "broken") << info.name;
  }
}

TEST_F(ShopDirectoryTest, ClosesTheOneThatWasIdleLongest) {
  const auto shops = Open(/*max_open=*/2);
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(shops->Create(name).ok());
    ASSERT_TRUE(FillShop(**shops->Find(name), 1, name).ok());
  }
  const auto held = *shops->Find("a");
  EXPECT_EQ(TitleIn(**shops->Find("b"), "p0"), "Kettle 0 of b");
  EXPECT_EQ(TitleIn(**shops->Find("c"), "p0"), "Kettle 0 of c");
  std::vector<std::string> open;
  for (const ShopInfo& info : shops->List()) {
    if (info.is_open) open.push_back(info.name);
  }
  EXPECT_THAT(open, ElementsAre("a", "c")) << "a is held, b was idle longest";
  EXPECT_EQ(TitleIn(**shops->Find("b"), "p0"), "Kettle 0 of b");
}

TEST_F(ShopDirectoryTest, ADeletedShopGoesWithItsLastHolder) {
  auto shops = Open();
  ASSERT_TRUE(shops->Create("gone").ok());
  auto held = *shops->Find("gone");
  ASSERT_TRUE(FillShop(*held, 2, "gone").ok());
  ASSERT_TRUE(shops->Delete("gone").ok());
  EXPECT_EQ(shops->Find("gone").status().code(), Code::kNotFound);
  EXPECT_THAT(Names(*shops), ::testing::Not(::testing::Contains("gone")));
  EXPECT_EQ(TitleIn(*held, "p1"), "Kettle 1 of gone");
  held.reset();
  EXPECT_FALSE(fs::exists(folder_.path() + "/shops/gone"));
  ASSERT_TRUE(shops->Create("gone").ok());
  EXPECT_EQ((*shops->Find("gone"))->reader().info().products, 0u);
  ASSERT_TRUE(shops->Delete("gone").ok());
  EXPECT_FALSE(fs::exists(folder_.path() + "/shops/gone"));
}

TEST_F(ShopDirectoryTest, FinishesADeletionThatACrashLeft) {
  auto shops = Open();
  ASSERT_TRUE(shops->Create("gone").ok());
  shops.reset();
  std::ofstream(folder_.path() + "/shops/gone/DELETED").flush();
  fs::create_directories(folder_.path() + "/shops/.deleted-gone-1/gen-000001");
  shops = Open();
  EXPECT_TRUE(fs::is_empty(folder_.path() + "/shops"));
}

TEST_F(ShopDirectoryTest, ANameThatIsFreeAgainIsWholeWhoeverStillRemovesTheOldOne) {
  const auto shops = Open();
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(shops->Create("again").ok()) << round;
    auto held = *shops->Find("again");
    ASSERT_TRUE(shops->Delete("again").ok());
    std::thread last_holder([&] { held.reset(); });
    absl::Status created;
    do {
      created = shops->Create("again");
    } while (absl::IsUnavailable(created));
    last_holder.join();
    EXPECT_TRUE(created.ok()) << created;
    EXPECT_TRUE(FillShop(**shops->Find("again"), 1, "again").ok());
    ASSERT_TRUE(shops->Delete("again").ok());
  }
}

TEST_F(ShopDirectoryTest, ADeletedShopIsFoundByNobodyWhileItIsRemoved) {
  const auto shops = Open();
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(shops->Create("gone").ok()) << round;
    auto held = *shops->Find("gone");
    ASSERT_TRUE(shops->Delete("gone").ok());
    std::atomic<bool> is_removed = false;
    std::thread last_holder([&] {
      held.reset();
      is_removed = true;
    });
    bool is_found = false;
    while (!is_removed) is_found |= shops->Find("gone").ok();
    last_holder.join();
    ASSERT_FALSE(is_found) << round;
  }
}

TEST_F(ShopDirectoryTest, ServesTheNextGenerationAndGoesBack) {
  const auto shops = Open();
  ASSERT_TRUE(FillShop(**shops->Find(kDefaultShop), 10, "one").ok());
  const auto old = *shops->Find(kDefaultShop);
  ASSERT_TRUE(
      shops->Rebuild(kDefaultShop, {}, [](Shop& next) { return FillShop(next, 9, "two"); }).ok());
  EXPECT_EQ(TitleIn(**shops->Find(kDefaultShop), "p3"), "Kettle 3 of two");
  EXPECT_EQ(TitleIn(*old, "p3"), "Kettle 3 of one") << "who holds the old one keeps it";
  ASSERT_TRUE(shops->RollBack(kDefaultShop).ok());
  EXPECT_EQ(*shops->Find(kDefaultShop), old);
  EXPECT_EQ(shops->RollBack(kDefaultShop).code(), Code::kNotFound);
}

TEST_F(ShopDirectoryTest, GatesKeepABadGenerationOut) {
  const auto shops = Open();
  ASSERT_TRUE(FillShop(**shops->Find(kDefaultShop), 10, "one").ok());
  const auto rebuild = [&](const GenerationGates& gates, int count) {
    return shops->Rebuild(kDefaultShop, gates,
                          [&](Shop& next) { return FillShop(next, count, "two"); });
  };
  EXPECT_THAT(std::string(rebuild({}, 7).message()), HasSubstr("7 products of 10"));
  EXPECT_THAT(std::string(rebuild({.min_products = 20}, 10).message()), HasSubstr("min_products"));
  GenerationGates gates;
  gates.canaries = {{"kettle", "p99"}};
  EXPECT_THAT(std::string(rebuild(gates, 10).message()), HasSubstr("does not find p99"));
  EXPECT_EQ(TitleIn(**shops->Find(kDefaultShop), "p3"), "Kettle 3 of one");
  EXPECT_FALSE(fs::exists(folder_.path() + "/gen-000002"));
  gates.canaries = {{"kettle 4 of two", "p4"}};
  EXPECT_TRUE(rebuild(gates, 10).ok());
  EXPECT_EQ(TitleIn(**shops->Find(kDefaultShop), "p3"), "Kettle 3 of two");
}

TEST_F(ShopDirectoryTest, AFailedFillChangesNothing) {
  const auto shops = Open();
  ASSERT_TRUE(FillShop(**shops->Find(kDefaultShop), 3, "one").ok());
  const absl::Status status = shops->Rebuild(
      kDefaultShop, {}, [](Shop&) { return absl::InvalidArgumentError("feed: line 3"); });
  EXPECT_EQ(status.message(), "feed: line 3");
  EXPECT_EQ(TitleIn(**shops->Find(kDefaultShop), "p2"), "Kettle 2 of one");
}

TEST_F(ShopDirectoryTest, SearchesContinueWhileGenerationsChange) {
  const auto shops = Open(/*max_open=*/1);
  ASSERT_TRUE(shops->Create("other").ok());
  ASSERT_TRUE(FillShop(**shops->Find(kDefaultShop), 5, "0").ok());
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!stop) {
        const auto shop = shops->Find(kDefaultShop);
        ASSERT_TRUE(shop.ok()) << shop.status();
        const std::string first = TitleIn(**shop, "p0"), last = TitleIn(**shop, "p4");
        ASSERT_EQ(first.substr(first.rfind(' ')), last.substr(last.rfind(' ')));
        (void)shops->Find("other");
        (void)shops->List();
      }
    });
  }
  for (int i = 1; i <= 10; ++i) {
    const absl::Status status = shops->Rebuild(
        kDefaultShop, {}, [&](Shop& next) { return FillShop(next, 5, std::to_string(i)); });
    ASSERT_TRUE(status.ok()) << status;
    if (i % 4 == 0) {
      ASSERT_TRUE(shops->RollBack(kDefaultShop).ok());
    }
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace emptor::services
