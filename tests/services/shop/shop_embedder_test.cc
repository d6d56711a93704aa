// A shop and its embedder: one that fails, one that is slow, another one than before.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/shop/shop.h"
#include "services/shop/shop_directory.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kCatalog;

/// An endpoint as a shop sees it: slow, and down when it is told to be.
class TestEmbedder final : public retrieval::Embedder {
 public:
  explicit TestEmbedder(std::string id) : id_(std::move(id)) {}
  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return id_; }
  bool is_slow() const override { return true; }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    {
      std::unique_lock lock(mutex_);
      ++calls_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !held_; });
    }
    if (is_down) return absl::UnavailableError("embedder: down");
    embedded += static_cast<int>(texts.size());
    return inner_.EmbedInto(texts, out);
  }
  void Hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    calls_ = 0;
    changed_.notify_all();
  }
  void WaitForCall() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return calls_ > 0; });
  }
  std::atomic<bool> is_down{false};
  mutable std::atomic<int> embedded{0};

 private:
  const std::string id_;
  retrieval::HashingEmbedder inner_{64};
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable int calls_ = 0;  // guarded by mutex_
  bool held_ = false;      // guarded by mutex_
};

absl::StatusOr<std::unique_ptr<Shop>> TryOpen(const std::string& directory,
                                              const retrieval::Embedder& embedder,
                                              bool embed_when_changed = false) {
  ShopOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  options.embed_when_changed = embed_when_changed;
  return Shop::Open(options, embedder);
}

std::unique_ptr<Shop> Open(const std::string& directory, const retrieval::Embedder& embedder) {
  auto shop = TryOpen(directory, embedder);
  EXPECT_TRUE(shop.ok()) << shop.status();
  return shop.ok() ? *std::move(shop) : nullptr;
}

absl::StatusOr<catalog::ImportReport> Import(Shop& shop, std::string_view lines,
                                             std::vector<catalog::LineResult>* results = nullptr) {
  std::istringstream stream{std::string(lines)};
  return shop.writer().Import(stream, {}, {}, [results](const catalog::LineResult& result) {
    if (results != nullptr) results->push_back(result);
  });
}

class ShopEmbedderTest : public ::testing::Test {
 protected:
  const emptor::testing::TemporaryDirectory directory_;
  TestEmbedder embedder_{"model-1"}, other_{"model-2"};
};

TEST_F(ShopEmbedderTest, SearchesGoByWordsWhileItIsDownAndSaySo) {
  const auto shop = Open(directory_.path(), embedder_);
  ASSERT_TRUE(Import(*shop, kCatalog).ok());
  retrieval::SearchRequest request{.query = "glide kettle"};
  EXPECT_FALSE(shop->reader().SearchProducts(request)->words_only);
  embedder_.is_down = true;
  const auto found = shop->reader().SearchProducts(request);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(found->words_only);
  ASSERT_FALSE(found->hits.empty());
  EXPECT_EQ(found->hits[0].id, "k20");
  EXPECT_EQ(found->hits[0].vector_score, 0);
  EXPECT_EQ(shop->reader().search_stats().words_only_searches, 1u);
  EXPECT_TRUE(shop->reader().SearchDocuments({.query = "shipping"}).ok());
  request.mode = retrieval::SearchMode::kLexical;
  EXPECT_FALSE(shop->reader().SearchProducts(request)->words_only);
  request.mode = retrieval::SearchMode::kVector;
  EXPECT_TRUE(absl::IsUnavailable(shop->reader().SearchProducts(request).status()));
}

TEST_F(ShopEmbedderTest, AnImportThatCannotEmbedStoresNothingAndMayBeTriedAgain) {
  const auto shop = Open(directory_.path(), embedder_);
  embedder_.is_down = true;
  std::vector<catalog::LineResult> results;
  EXPECT_TRUE(absl::IsUnavailable(Import(*shop, kCatalog, &results).status()));
  ASSERT_EQ(results.size(), 4u);
  for (const catalog::LineResult& result : results) {
    EXPECT_EQ(result.status, catalog::LineStatus::kError);
    EXPECT_THAT(result.message, HasSubstr("not stored: embedder: down"));
  }
  EXPECT_EQ(shop->reader().info().products + shop->reader().info().documents, 0u);
  const std::string_view document = kCatalog.substr(kCatalog.rfind("{\"id\""));
  EXPECT_TRUE(absl::IsUnavailable(Import(*shop, document).status()));
  EXPECT_EQ(shop->reader().info().documents,
            0u);  // else it would be "unchanged" next time, and unfindable
  embedder_.is_down = false;
  EXPECT_EQ(Import(*shop, kCatalog)->created, 4u);
  EXPECT_FALSE(shop->reader().SearchProducts({.query = "kettle"})->hits.empty());
}

TEST_F(ShopEmbedderTest, APriceChangesWhileABatchIsEmbedded) {
  const auto shop = Open(directory_.path(), embedder_);
  ASSERT_TRUE(Import(*shop, kCatalog).ok());
  embedder_.Hold(true);
  std::thread slow(
      [&] { EXPECT_EQ(Import(*shop, "{\"id\":\"n1\",\"title\":\"Brass lamp\"}\n")->created, 1u); });
  embedder_.WaitForCall();
  catalog::FeedRow row;
  row.id = "k20";
  catalog::Product product = **shop->reader().FindProduct("k20");
  product.price->amount = 1234;
  row.record = product;
  const auto changed = shop->writer().Change(std::move(row), catalog::ImportMode::kUpsert);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(changed->status, catalog::LineStatus::kUpdated);
  EXPECT_EQ((*shop->reader().FindProduct("k20"))->price->amount, 1234);
  EXPECT_FALSE((*shop->reader().FindProduct("n1")).has_value());
  embedder_.Hold(false);
  slow.join();
  EXPECT_TRUE((*shop->reader().FindProduct("n1")).has_value());
}

TEST_F(ShopEmbedderTest, UnchangedTextIsNotEmbeddedAgain) {
  const auto shop = Open(directory_.path(), embedder_);
  ASSERT_TRUE(Import(*shop, kCatalog).ok());
  const int before = embedder_.embedded;
  EXPECT_EQ(Import(*shop, kCatalog)->unchanged, 4u);
  std::string repriced(kCatalog.substr(0, kCatalog.find('\n') + 1));
  repriced.replace(repriced.find("4999"), 4, "4599");
  EXPECT_EQ(Import(*shop, repriced)->updated, 1u);
  EXPECT_EQ(embedder_.embedded, before);
}

TEST_F(ShopEmbedderTest, PassagesAreKeptBetweenStarts) {
  ASSERT_TRUE(Import(*Open(directory_.path(), embedder_), kCatalog).ok());
  const int before = embedder_.embedded;
  Open(directory_.path(), embedder_);
  EXPECT_EQ(embedder_.embedded, before);
  embedder_.is_down = true;
  EXPECT_FALSE(
      Open(directory_.path(), embedder_)->reader().SearchDocuments({.query = "shipping"})->empty());
}

TEST_F(ShopEmbedderTest, VectorsOfAnotherEmbedderAreRefusedByName) {
  ASSERT_TRUE(Import(*Open(directory_.path(), embedder_), kCatalog).ok());
  const auto refused = TryOpen(directory_.path(), other_);
  EXPECT_TRUE(absl::IsFailedPrecondition(refused.status())) << refused.status();
  EXPECT_THAT(std::string(refused.status().message()),
              AllOf(HasSubstr("\"model-1\""), HasSubstr("\"model-2\""), HasSubstr("emptor shop")));
  EXPECT_EQ(other_.embedded, 0);
  const int before = embedder_.embedded;
  Open(directory_.path(), embedder_);  // nothing was lost
  EXPECT_EQ(embedder_.embedded, before);

  EXPECT_TRUE(TryOpen(directory_.path(), other_, /*embed_when_changed=*/true).ok());
  EXPECT_EQ(other_.embedded, 5);  // of the FAQ entry also the question alone
  EXPECT_TRUE(TryOpen(directory_.path(), other_).ok());
  EXPECT_EQ(other_.embedded, 5);
  EXPECT_TRUE(absl::IsFailedPrecondition(TryOpen(directory_.path(), embedder_).status()));
}

TEST_F(ShopEmbedderTest, AnEmptyShopTakesAnyEmbedder) {
  Open(directory_.path(), embedder_);
  EXPECT_TRUE(TryOpen(directory_.path(), other_).ok());
}

TEST_F(ShopEmbedderTest, ADirectoryReembedsAShopNextToTheOldVectors) {
  ShopDirectoryOptions options;
  options.data_directory = directory_.path();
  options.shop.create_if_missing = true;
  {
    ShopDirectory shops(options, embedder_);
    ASSERT_TRUE(Import(**shops.Find("default"), kCatalog).ok());
  }
  {
    ShopDirectory shops(options, other_);
    EXPECT_TRUE(absl::IsFailedPrecondition(shops.Find("default").status()));
    EXPECT_THAT(shops.List().front().health.ToString(), HasSubstr("model-1"));
    other_.is_down = true;
    EXPECT_TRUE(absl::IsUnavailable(shops.Reembed("default")));
    EXPECT_TRUE(absl::IsFailedPrecondition(shops.Find("default").status()));
    other_.is_down = false;
    const absl::Status embedded = shops.Reembed("default");
    ASSERT_TRUE(embedded.ok()) << embedded;
    EXPECT_EQ((*shops.Find("default"))->reader().info().products, 3u);
    EXPECT_EQ((*shops.Find("default"))->reader().info().documents, 1u);
    const int before = other_.embedded;
    EXPECT_TRUE(shops.Reembed("default").ok());  // nothing to do
    EXPECT_EQ(other_.embedded, before);
  }
  {  // back to the vectors of before, with the embedder that made them
    ShopDirectory shops(options, embedder_);
    EXPECT_TRUE(absl::IsFailedPrecondition(shops.Find("default").status()));
    const int before = embedder_.embedded;
    const absl::Status rolled = shops.RollBack("default");
    ASSERT_TRUE(rolled.ok()) << rolled;
    EXPECT_EQ((*shops.Find("default"))->reader().info().products, 3u);
    EXPECT_EQ(embedder_.embedded, before);
  }
  ShopDirectory shops(options, other_);  // and by a feed, under the same gates
  const auto fill = [](Shop& next) {
    return Import(next, kCatalog.substr(0, kCatalog.find('\n') + 1)).status();
  };
  EXPECT_THAT(std::string(shops.Rebuild("default", {}, fill).message()), HasSubstr("min_share"));
  EXPECT_TRUE(shops.Rebuild("default", {.min_share = 0.1}, fill).ok());
  EXPECT_EQ((*shops.Find("default"))->reader().info().products, 1u);
}

}  // namespace
}  // namespace emptor::services
