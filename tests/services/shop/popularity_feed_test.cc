// A nightly feed of what sells: live at once, and nothing is embedded or indexed for it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "services/shop/shop.h"
#include "tests/services/shop/counted_embedder.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;

class PopularityFeedTest : public ::testing::Test {
 protected:
  std::unique_ptr<Shop> Open() const {
    ShopOptions options;
    options.directory = directory_.path();
    options.create_if_missing = true;
    auto shop = Shop::Open(options, embedder_);
    EXPECT_TRUE(shop.ok()) << shop.status();
    return shop.ok() ? *std::move(shop) : nullptr;
  }

  static catalog::ImportReport Import(Shop& shop, const std::string& lines,
                                      catalog::ImportMode mode) {
    std::istringstream stream(lines);
    catalog::FeedOptions feed;
    feed.patches = mode == catalog::ImportMode::kUpdate;
    const auto report =
        shop.writer().Import(stream, feed, {.mode = mode}, [](const catalog::LineResult&) {});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : catalog::ImportReport();
  }

  static std::vector<std::string> MostPopular(const Shop& shop) {
    const auto found = shop.reader().SearchProducts(
        {.query = "", .limit = 3, .browse = true, .sort = retrieval::SortOrder::kPopularity});
    EXPECT_TRUE(found.ok()) << found.status();
    std::vector<std::string> ids;
    for (const retrieval::Hit& hit : found->hits) ids.push_back(hit.id);
    return ids;
  }

  static std::string Catalog(int count) {
    std::string lines;
    for (int i = 0; i < count; ++i) {
      lines += fmt::format(R"({{"id":"p{0}","title":"Kettle {0} of steel","popularity":{0},)"
                           R"("price":{{"amount":10,"currency":"USD"}}}})"
                           "\n",
                           i);
    }
    return lines;
  }

  const emptor::testing::TemporaryDirectory directory_;
  const CountedEmbedder embedder_;
};

TEST_F(PopularityFeedTest, IsLiveAtOnceAndNeitherEmbedsNorIndexes) {
  constexpr int kProducts = 200, kSold = 100;  // one batch each: no merge is due of itself
  {
    const auto shop = Open();
    Import(*shop, Catalog(kProducts), catalog::ImportMode::kUpsert);
  }
  const auto shop = Open();
  ASSERT_THAT(MostPopular(*shop), ElementsAre("p199", "p198", "p197"));
  const auto before = shop->reader().search_stats();
  embedder_.count = 0;

  std::string nightly;
  for (int i = 0; i < kSold; ++i) {
    nightly += fmt::format(R"({{"id":"p{}","popularity":{}}})"
                           "\n",
                           i, 100000 - i);
  }
  const auto report = Import(*shop, nightly, catalog::ImportMode::kUpdate);
  EXPECT_EQ(report.updated, static_cast<size_t>(kSold));
  EXPECT_THAT(MostPopular(*shop), ElementsAre("p0", "p1", "p2"));
  EXPECT_EQ(embedder_.count, 0);
  const auto after = shop->reader().search_stats();
  EXPECT_EQ(after.fresh_vectors, before.fresh_vectors);
  EXPECT_EQ(after.tombstones, before.tombstones);
  EXPECT_EQ(after.full_compactions + after.minor_compactions,
            before.full_compactions + before.minor_compactions);
}

TEST_F(PopularityFeedTest, ARestartKnowsWhatCameSinceTheIndexWasSaved) {
  {
    const auto shop = Open();
    Import(*shop, Catalog(30), catalog::ImportMode::kUpsert);
  }
  {
    const auto shop = Open();
    Import(*shop, "{\"id\":\"p4\",\"popularity\":700}\n", catalog::ImportMode::kUpdate);
  }
  embedder_.count = 0;
  const auto shop = Open();
  EXPECT_EQ(shop->lifecycle().index_counts().builds, 0u);
  EXPECT_EQ(embedder_.count, 0);
  EXPECT_THAT(MostPopular(*shop), ElementsAre("p4", "p29", "p28"));
}

}  // namespace
}  // namespace emptor::services
