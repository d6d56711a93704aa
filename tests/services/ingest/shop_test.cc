// A shop: store and search in step, and no embedding that is not needed.
#include "services/ingest/shop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <sstream>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/index_entry.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services {
namespace {

using testing::kCatalog;

/// Counts what is embedded.
class CountingEmbedder final : public retrieval::Embedder {
 public:
  explicit CountingEmbedder(std::string id) : id_(std::move(id)) {}
  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return id_; }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    embedded += static_cast<int>(texts.size());
    return inner_.EmbedInto(texts, out);
  }
  mutable std::atomic<int> embedded{0};

 private:
  const std::string id_;
  retrieval::HashingEmbedder inner_{64};
};

std::unique_ptr<Shop> Open(const std::string& directory, const retrieval::Embedder& embedder) {
  ShopOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  auto shop = Shop::Open(options, embedder);
  EXPECT_TRUE(shop.ok()) << shop.status();
  return shop.ok() ? *std::move(shop) : nullptr;
}

catalog::ImportReport Import(Shop& shop, std::string_view lines) {
  std::istringstream stream{std::string(lines)};
  auto report = shop.Import(stream, {}, [](const catalog::LineResult&) {});
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : catalog::ImportReport();
}

TEST(ShopTest, FindsWhatWasImported) {
  testing::TestShop shop;
  retrieval::SearchRequest request;
  request.query = "glide kettle";
  const auto found = shop.shop().SearchProducts(request);
  ASSERT_TRUE(found.ok());
  ASSERT_FALSE(found->hits.empty());
  EXPECT_EQ(found->hits[0].id, "k20");
  EXPECT_EQ(shop.shop().info().products, 3u);
  EXPECT_EQ(shop.shop().info().documents, 1u);
}

TEST(ShopTest, EmbedsOnlyTextThatChanged) {
  emptor::testing::TemporaryDirectory directory;
  const CountingEmbedder embedder("model-1");
  {
    const auto shop = Open(directory.path(), embedder);
    Import(*shop, kCatalog);
    const int first = embedder.embedded;
    EXPECT_GE(first, 4);
    EXPECT_EQ(Import(*shop, kCatalog).unchanged, 4u);
    EXPECT_EQ(embedder.embedded, first);
    std::string repriced(kCatalog.substr(0, kCatalog.find('\n') + 1));
    repriced.replace(repriced.find("4999"), 4, "4599");
    EXPECT_EQ(Import(*shop, repriced).updated, 1u);
    EXPECT_EQ(embedder.embedded, first);
    EXPECT_EQ((*shop->FindProduct("k20"))->price->amount, 4599);
  }
  const int before = embedder.embedded;
  const auto reopened = Open(directory.path(), embedder);
  EXPECT_EQ(embedder.embedded - before, 1);  // the document's; vectors of products are stored
  EXPECT_EQ((*reopened->FindProduct("k20"))->price->amount, 4599);
}

TEST(ShopTest, EmbedsAnewForAnotherModel) {
  emptor::testing::TemporaryDirectory directory;
  const CountingEmbedder first("model-1"), second("model-2");
  Import(*Open(directory.path(), first), kCatalog);
  Open(directory.path(), second);
  EXPECT_EQ(second.embedded, 4);
  Open(directory.path(), second);
  EXPECT_EQ(second.embedded, 5);  // only the document again
}

TEST(ShopTest, SearchFollowsANewPriceAtOnce) {
  testing::TestShop shop;
  retrieval::SearchRequest request;
  request.query = "kettle";
  request.filter.max_price = 4700;
  request.filter.currency = "USD";
  EXPECT_EQ(shop.shop().SearchProducts(request)->hits.size(), 1u);
  shop.SetPriceOfK20(4599);
  EXPECT_EQ(shop.shop().SearchProducts(request)->hits.size(), 2u);
}

TEST(ShopTest, ReadsTheShopsOwnSynonymsWithEachImport) {
  const emptor::testing::TemporaryDirectory directory;
  const retrieval::HashingEmbedder embedder(64);
  const auto shop = Open(directory.path(), embedder);
  const auto found = [&] {
    const auto result =
        shop->SearchProducts({.query = "brewer", .mode = retrieval::SearchMode::kLexical});
    EXPECT_TRUE(result.ok()) << result.status();
    return result->hits.size();
  };
  Import(*shop, kCatalog);
  shop->WaitForWords();
  EXPECT_EQ(found(), 0u);
  std::ofstream(directory.path() + "/synonyms.txt") << "brewer => kettle\n";
  Import(*shop, "");
  EXPECT_EQ(found(), 2u);
  std::ofstream(directory.path() + "/synonyms.txt") << "brewer\n";  // says nothing: refused
  EXPECT_NE(std::string(shop->ReloadSynonyms().message()).find("synonyms.txt:1: "),
            std::string::npos);
  EXPECT_EQ(found(), 2u);
}

TEST(ShopTest, ForgetsWhatWasDeleted) {
  testing::TestShop shop;
  shop.Import("{\"id\":\"k20\",\"deleted\":true}\n");
  EXPECT_FALSE(shop.shop().FindProduct("k20")->has_value());
  retrieval::SearchRequest request;
  request.query = "glide kettle";
  const auto found = shop.shop().SearchProducts(request);
  for (const retrieval::Hit& hit : found->hits) EXPECT_NE(hit.id, "k20");
}

TEST(ShopTest, KnowsBrandsCurrencyAndLanguages) {
  testing::TestShop shop;
  const auto profile = shop.shop().profile();
  EXPECT_EQ(profile->currency, "USD");
  EXPECT_EQ(profile->brands.at("torvane"), "Torvane");
  EXPECT_EQ(profile->languages.at("en"), 3u);
}

TEST(IndexEntryTest, GivesBackWhatFits) {
  const std::vector<float> vector = {1, 2.5f, -3};
  const std::string entry = EncodeIndexEntry("model", "text", vector);
  EXPECT_EQ(DecodeIndexEntry(entry, "model", "text", 3), vector);
  EXPECT_EQ(DecodeIndexEntry(entry, "other", "text", 3), std::nullopt);
  EXPECT_EQ(DecodeIndexEntry(entry, "model", "other", 3), std::nullopt);
  EXPECT_EQ(DecodeIndexEntry(entry, "model", "text", 4), std::nullopt);
  EXPECT_EQ(DecodeIndexEntry("", "model", "text", 3), std::nullopt);
  EXPECT_EQ(DecodeIndexEntry(entry.substr(1), "model", "text", 3), std::nullopt);
}

}  // namespace
}  // namespace emptor::services
