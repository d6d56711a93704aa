// A real catalog through the importer: nothing refused, everything read back equal.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "absl/status/status.h"
#include "catalog/import/importer.h"
#include "tests/support/icecat.h"

namespace emptor::catalog {
namespace {

constexpr uint64_t kProducts = 19406;

class IcecatImportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        std::filesystem::temp_directory_path() / ("emptor-icecat-" + std::to_string(::getpid()));
    std::filesystem::remove_all(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<ProductStore> OpenStore() {
    auto store = ProductStore::Open(directory_.string(), {.create_if_missing = true});
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }
  static ImportReport Import(ProductStore& store, const std::string& feed) {
    std::string first_error;
    std::mutex mutex;
    Importer importer(
        store, mutex, {}, [&](ImportBatch& batch) { return store.Write(batch.changes); },
        [&](const LineResult& result) {
          if (result.status == LineStatus::kError && first_error.empty()) {
            first_error = ToJson(result);
          }
        });
    std::istringstream stream(feed);
    const auto reader = MakeFeedReader({.format = FeedFormat::kJsonl}, [&](FeedRow&& row) {
      return importer.Take(std::move(row));
    });
    const auto report = ImportFeed(stream, *reader, importer);
    EXPECT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(first_error, "");
    return report.ok() ? *report : ImportReport();
  }

  std::filesystem::path directory_;
};

TEST_F(IcecatImportTest, EveryProductIsTakenStoredAndReadBack) {
  const auto products = testing::ReadIcecatProducts();
  if (absl::IsNotFound(products.status())) GTEST_SKIP() << products.status().ToString();
  ASSERT_TRUE(products.ok()) << products.status().ToString();
  ASSERT_EQ(products->size(), kProducts);
  std::string feed;
  for (const Product& product : *products) feed += ToJson(product) + "\n";

  auto store = OpenStore();
  ASSERT_NE(store, nullptr);
  const ImportReport first = Import(*store, feed);
  EXPECT_EQ(first.created, kProducts);
  EXPECT_EQ(first.errors, 0u);
  store.reset();

  store = OpenStore();
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->info().products, kProducts);
  for (Product product : *products) {
    MakeSafe(ScreenPolicy::kOff, product);
    ASSERT_EQ(store->Find(product.id).value(), product);
  }
  EXPECT_EQ(Import(*store, feed).unchanged, kProducts);
}

TEST_F(IcecatImportTest, JudgmentsNameProductsOfTheCatalog) {
  const auto judgments = testing::ReadIcecatJudgments();
  if (absl::IsNotFound(judgments.status())) GTEST_SKIP() << judgments.status().ToString();
  ASSERT_TRUE(judgments.ok()) << judgments.status().ToString();
  EXPECT_EQ(judgments->size(), 1688u);
  for (const testing::Judgment& judgment : *judgments) {
    EXPECT_GE(judgment.rating, 0);
    EXPECT_LE(judgment.rating, 3);
    EXPECT_TRUE(IsValidId(judgment.product_id));
  }
}

}  // namespace
}  // namespace emptor::catalog
