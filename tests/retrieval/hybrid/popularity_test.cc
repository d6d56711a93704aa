// Popularity is an inventory column: visible at once in orders and scores, kept by files and
// merges. Files of other column versions are rebuilt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/filter/filter_columns_codec.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/segment/segment_file.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using ::testing::ElementsAre;
using testing::Ids;
using testing::Indexed;
using testing::MakeProduct;
using testing::Numbered;

class PopularityTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    options_.index_directory =
        (std::filesystem::temp_directory_path() /
         (std::string("emptor_popularity_") + info->name() + std::to_string(::getpid())))
            .string();
    options_.now_unix = [] { return int64_t{0}; };
  }
  void TearDown() override { std::filesystem::remove_all(options_.index_directory); }

  static catalog::Product Lamp(size_t i, std::optional<int64_t> sold) {
    catalog::Product product = MakeProduct(Numbered("p", i), "brass lamp", "Brass", "Lamps", 900);
    product.popularity = sold;
    return product;
  }

  std::unique_ptr<HybridSearcher> MakeShop(size_t count) const {
    std::vector<IndexedProduct> records;
    for (size_t i = 0; i < count; ++i) records.push_back(Indexed(embedder_, Lamp(i, 10)));
    auto shop = HybridSearcher::Build(std::move(records), embedder_, options_);
    EXPECT_TRUE(shop.ok()) << shop.status();
    return *std::move(shop);
  }

  static absl::Status Sell(HybridSearcher& shop, size_t i, std::optional<int64_t> sold) {
    return shop.Upsert({{Lamp(i, sold), {}, /*same_text=*/true}});
  }

  static std::vector<std::string> First(const HybridSearcher& shop, SearchRequest request) {
    request.limit = 2;
    const auto found = shop.Search(request);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? Ids(*found) : std::vector<std::string>();
  }
  static std::vector<std::string> BestSelling(const HybridSearcher& shop) {
    return First(shop, {.query = "", .browse = true, .sort = SortOrder::kPopularity});
  }

  std::string file() const { return options_.index_directory + "/segments.idx"; }

  const HashingEmbedder embedder_{32};
  HybridOptions options_;
};

TEST_F(PopularityTest, OrdersAndScoresSeeItAtOnceAndNoSegmentIsMade) {
  const auto shop = MakeShop(190);
  ASSERT_TRUE(Sell(*shop, 180, 5000).ok());
  ASSERT_TRUE(Sell(*shop, 7, 400).ok());
  EXPECT_EQ(shop->stats().fresh_vectors, 0u);
  EXPECT_EQ(shop->stats().tombstones, 0u);
  EXPECT_THAT(BestSelling(*shop), ElementsAre("p180", "p7"));
  // Of equals by words the one that sells, though the other has the lower position.
  EXPECT_THAT(First(*shop, {.query = "lamp", .mode = SearchMode::kLexical}),
              ElementsAre("p180", "p7"));
  ASSERT_TRUE(Sell(*shop, 180, std::nullopt).ok());
  EXPECT_THAT(BestSelling(*shop), ElementsAre("p7", "p0"));
}

TEST_F(PopularityTest, TheSavedIndexHoldsIt) {
  {
    const auto shop = MakeShop(300);
    ASSERT_TRUE(Sell(*shop, 250, 5000).ok());
    ASSERT_TRUE(shop->Save("v1", "").ok());
  }
  const auto opened = HybridSearcher::Open("v1", embedder_, options_);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_THAT(BestSelling(*opened->searcher), ElementsAre("p250", "p0"));
}

TEST_F(PopularityTest, MergesCarryItOver) {
  options_.merges = {.min_fresh_records = 20, .fresh_share = 0.1, .first_immutable_records = 20};
  const auto shop = MakeShop(60);
  ASSERT_TRUE(Sell(*shop, 31, 5000).ok());
  for (size_t i = 60; i < 120; ++i) {
    ASSERT_TRUE(shop->Upsert({Indexed(embedder_, Lamp(i, 10))}).ok());
    ASSERT_TRUE(Sell(*shop, i, static_cast<int64_t>(i) * 10).ok());
  }
  shop->WaitForMerges();
  EXPECT_GT(shop->stats().full_compactions + shop->stats().minor_compactions, 0u);
  EXPECT_THAT(BestSelling(*shop), ElementsAre("p31", "p119"));
}

/// Columns of an older and of a newer version are both rebuilt.
TEST_F(PopularityTest, FilesOfOtherColumnsAreRefused) {
  ASSERT_TRUE(MakeShop(5)->Save("v1", "").ok());
  const auto analyzer = Analyzer::Create();
  ASSERT_TRUE(analyzer.ok());
  SealedFileKind kind = SegmentFileKind(*analyzer, embedder_.model_id(), "v1");
  std::string bytes;
  {
    const auto payload = MapSealedFile(file(), kind);
    ASSERT_TRUE(payload.ok()) << payload.status();
    bytes.assign(payload->bytes.begin(), payload->bytes.end());
  }
  const std::string now = "columns " + std::to_string(kFilterColumnsVersion);
  ASSERT_NE(kind.key.find(now), std::string::npos) << kind.key;
  for (const uint32_t version : {kFilterColumnsVersion - 1, kFilterColumnsVersion + 1}) {
    SealedFileKind other = kind;
    other.key.replace(other.key.find(now), now.size(), "columns " + std::to_string(version));
    ASSERT_TRUE(WriteSealedFile(file(), other, [&](const SealedPayloadSink& sink) {
                  return sink(bytes.data(), bytes.size());
                }).ok());
    EXPECT_EQ(HybridSearcher::Open("v1", embedder_, options_).status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
  FilterColumns columns;
  columns.Add(MakeFilterRow(Lamp(1, 5)));
  std::string encoded = EncodeFilterColumns(columns);
  const auto decode = [&encoded] {
    return DecodeFilterColumns({reinterpret_cast<const uint8_t*>(encoded.data()), encoded.size()});
  };
  const auto decoded = decode();
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_FLOAT_EQ(decoded->inventory().popularity(0), std::log1p(5.0f));
  ++encoded[0];
  EXPECT_EQ(decode().status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace emptor::retrieval
