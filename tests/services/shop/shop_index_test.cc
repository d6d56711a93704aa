// The search of a shop after its process was killed: what was saved, and only the rest taken again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "catalog/product_json.h"
#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/jobs.h"
#include "services/shop/saved_state.h"
#include "services/shop/shop.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using emptor::testing::TemporaryDirectory;
namespace fs = std::filesystem;

/// Saves at the end of every job that changed something, and at no other time.
SaveLimits AtJobEnds() {
  SaveLimits limits;
  limits.job_changes = 1;
  limits.job_share = 0;
  limits.rest_factor = 0;
  return limits;
}

std::string Row(int number, const std::string& title, int cents, bool hidden = false) {
  catalog::Product product;
  product.id = "p" + std::to_string(number);
  product.title = title + " " + std::to_string(number);
  product.price = catalog::Money{cents, "USD"};
  if (hidden) product.quarantine = "under review";
  return catalog::ToJson(product) + "\n";
}

std::string Rows(int first, int last, const std::string& title, int cents) {
  std::string rows;
  for (int i = first; i < last; ++i) rows += Row(i, title, cents);
  return rows;
}

class ShopIndexTest : public ::testing::Test {
 protected:
  std::unique_ptr<Shop> Open(const std::string& directory,
                             const SaveLimits& limits = AtJobEnds()) const {
    ShopOptions options;
    options.directory = directory;
    options.create_if_missing = true;
    options.saves = limits;
    auto shop = Shop::Open(options, embedder_);
    EXPECT_TRUE(shop.ok()) << shop.status();
    return shop.ok() ? *std::move(shop) : nullptr;
  }

  static void Ingest(Shop& shop, const std::string& rows, const char* mode = "upsert") {
    const auto jobs = Jobs::Open(shop.writer(), {.directory = shop.directory() + "/jobs"});
    ASSERT_TRUE(jobs.ok()) << jobs.status();
    JobSpec spec;
    ASSERT_TRUE(SetJobOption("mode", mode, spec).ok());
    const auto started = (*jobs)->Start(spec);
    ASSERT_TRUE(started.ok()) << started.status();
    std::istringstream feed(rows);
    const auto job = (*jobs)->Run(started->job.id, feed, nullptr);
    ASSERT_TRUE(job.ok()) << job.status();
    ASSERT_EQ(job->report.errors, 0u);
  }

  /// What a kill -9 leaves: the files as they lie while the shop is open. A save renames its file
  /// when it is whole: where one goes away under the copy, that is made anew.
  std::string Killed(const Shop& shop) const {
    const std::string copy = directory_.path() + "/killed" + std::to_string(++copies_);
    std::error_code changed;
    do {
      fs::remove_all(copy);
      fs::copy(shop.directory(), copy, fs::copy_options::recursive, changed);
    } while (changed == std::errc::no_such_file_or_directory);
    EXPECT_FALSE(changed) << changed.message();
    return copy;
  }

  static std::vector<std::string> Find(const Shop& shop, const std::string& query) {
    const auto found = shop.reader().SearchProducts(
        {.query = query, .limit = 1000, .mode = retrieval::SearchMode::kLexical});
    EXPECT_TRUE(found.ok()) << found.status();
    std::vector<std::string> ids;
    if (found.ok()) {
      for (const retrieval::Hit& hit : found->hits) ids.push_back(hit.id);
    }
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  const TemporaryDirectory directory_;
  const retrieval::HashingEmbedder embedder_{16};
  mutable int copies_ = 0;
};

TEST_F(ShopIndexTest, IsSavedAtTheEndOfAJobSoThatAKillCostsNothing) {
  const auto shop = Open(directory_.path() + "/shop");
  Ingest(*shop, Rows(0, 300, "kettle", 100));
  shop->lifecycle().WaitForSaves();
  EXPECT_EQ(shop->lifecycle().index_counts().saves, 2u);  // of the empty shop, and of the job
  const auto again = Open(Killed(*shop));
  EXPECT_EQ(again->lifecycle().index_counts().builds, 0u);
  EXPECT_EQ(again->lifecycle().index_counts().replayed, 0u);
  EXPECT_EQ(Find(*again, "kettle").size(), 300u);
  EXPECT_EQ(again->reader().profile()->currency, "USD");
}

TEST_F(ShopIndexTest, AfterAKillOnlyWhatCameLaterIsTakenAgain) {
  const auto shop = Open(directory_.path() + "/shop");
  Ingest(*shop, Rows(0, 300, "kettle", 100));
  shop->lifecycle().WaitForSaves();
  // By single changes, which no job ends: a new text, a new price, a new product, a deletion, one
  // that nobody may see any more.
  const auto change = [&](const std::string& row) {
    catalog::FeedRow feed_row;
    auto json = catalog::ParseRecordJson(row.substr(0, row.size() - 1));
    ASSERT_TRUE(json.ok()) << json.status();
    auto product = catalog::ProductFromJson(*json);
    ASSERT_TRUE(product.ok()) << product.status();
    feed_row.id = product->id;
    feed_row.record = *std::move(product);
    ASSERT_TRUE(shop->writer().Change(std::move(feed_row), catalog::ImportMode::kUpsert).ok());
  };
  change(Row(1, "samovar", 100));
  change(Row(2, "kettle", 777));
  change(Row(300, "samovar", 100));
  change(Row(3, "kettle", 100, /*hidden=*/true));
  catalog::FeedRow gone;
  gone.id = "p4";
  gone.record = catalog::RecordDeletion{.id = "p4"};
  ASSERT_TRUE(shop->writer().Change(std::move(gone), catalog::ImportMode::kUpsert).ok());

  const auto again = Open(Killed(*shop));
  EXPECT_EQ(again->lifecycle().index_counts().builds, 0u);
  EXPECT_EQ(again->lifecycle().index_counts().replayed, 5u);
  EXPECT_EQ(Find(*again, "samovar"), (std::vector<std::string>{"p1", "p300"}));
  EXPECT_EQ(Find(*again, "kettle"), Find(*shop, "kettle"));
  EXPECT_EQ(Find(*again, "kettle").size(), 297u);
  retrieval::SearchRequest dear{.query = "kettle", .mode = retrieval::SearchMode::kLexical};
  dear.filter.min_price = 700;
  dear.filter.currency = "USD";
  const auto found = again->reader().SearchProducts(dear);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->hits.size(), 1u);
  EXPECT_EQ(found->hits[0].id, "p2");
}

TEST_F(ShopIndexTest, IsBuiltWhenMostHasChanged) {
  const auto shop = Open(directory_.path() + "/shop");
  Ingest(*shop, Rows(0, 300, "kettle", 100));
  shop->lifecycle().WaitForSaves();
  const std::string killed = Killed(*shop);
  const std::string old = directory_.path() + "/segments.old";
  fs::copy_file(killed + "/index/segments.idx", old);
  {
    const auto next = Open(killed);
    Ingest(*next, Rows(0, 2500, "samovar", 100));
  }
  fs::copy_file(old, killed + "/index/segments.idx", fs::copy_options::overwrite_existing);
  const auto again = Open(killed);
  EXPECT_EQ(again->lifecycle().index_counts().builds, 1u);
  EXPECT_EQ(Find(*again, "kettle").size(), 0u);
  EXPECT_EQ(Find(*again, "samovar").size(), 1000u);
}

TEST_F(ShopIndexTest, AnIndexOfAnotherShopIsBroughtUpToThisOne) {
  const auto kettles = Open(directory_.path() + "/a");
  Ingest(*kettles, Rows(0, 30, "kettle", 100));
  kettles->lifecycle().WaitForSaves();
  const std::string other = directory_.path() + "/b";
  Ingest(*Open(other), Rows(20, 50, "samovar", 100));
  fs::copy_file(kettles->directory() + "/index/segments.idx", other + "/index/segments.idx",
                fs::copy_options::overwrite_existing);
  const auto again = Open(other);
  EXPECT_EQ(Find(*again, "kettle"), std::vector<std::string>());
  EXPECT_EQ(Find(*again, "samovar").size(), 30u);
}

/// Every copy that is taken while a writer and saves run beside each other opens with exactly what
/// the store of that copy holds.
TEST_F(ShopIndexTest, SavesDuringWritesLoseNothing) {
  SaveLimits always = AtJobEnds();
  always.longest_unsaved = std::chrono::milliseconds(0);
  const auto shop = Open(directory_.path() + "/shop", always);
  Ingest(*shop, Rows(0, 60, "kettle", 100));
  std::jthread writer([&](const std::stop_token& stop) {
    std::mt19937 random(7);
    while (!stop.stop_requested()) {
      const int number = static_cast<int>(random() % 80);
      catalog::FeedRow row;
      row.id = "p" + std::to_string(number);
      if (random() % 4 == 0) {
        row.record = catalog::RecordDeletion{.id = row.id};
      } else {
        catalog::Product product;
        product.id = row.id;
        product.title = random() % 2 == 0 ? "kettle" : "samovar";  // A, B, A again
        row.record = product;
      }
      EXPECT_TRUE(shop->writer().Change(std::move(row), catalog::ImportMode::kUpsert).ok());
    }
  });
  const uint64_t wanted = shop->lifecycle().index_counts().saves + 40;
  while (shop->lifecycle().index_counts().saves < wanted) std::this_thread::yield();
  writer.request_stop();
  writer.join();
  // The saved file may be of any moment before; the store is of now.
  const auto again = Open(Killed(*shop));
  EXPECT_EQ(again->lifecycle().index_counts().builds, 0u);
  for (const char* word : {"kettle", "samovar"}) EXPECT_EQ(Find(*again, word), Find(*shop, word));
}

/// A category that is written while a save reads the store, before the shop is closed.
TEST_F(ShopIndexTest, TheProfileOfASaveDuringWritesIsWhole) {
  SaveLimits always = AtJobEnds();
  always.longest_unsaved = std::chrono::milliseconds(0);
  const std::string directory = directory_.path() + "/shop";
  auto shop = Open(directory, always);
  Ingest(*shop, Rows(0, 3000, "kettle", 100));
  for (int i = 0; i < 24; ++i) {
    for (const char* part : {"first", "second"}) {
      catalog::Product product;
      product.id = fmt::format("{}-{}", part, i);  // the first change starts a save
      product.title = product.id;
      product.categories = {product.id};
      catalog::FeedRow row;
      row.id = product.id;
      row.record = product;
      ASSERT_TRUE(shop->writer().Change(std::move(row), catalog::ImportMode::kUpsert).ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(i / 2));
    }
    shop.reset();
    shop = Open(directory, always);
    const auto profile = shop->reader().profile();
    EXPECT_TRUE(profile->categories.contains(fmt::format("second-{}", i))) << i;
  }
}

TEST_F(ShopIndexTest, UnsureRecordsAreTakenAgain) {
  const auto shop = Open(directory_.path() + "/shop");
  Ingest(*shop, Rows(0, 3, "kettle", 100));
  const auto fingerprints = StoreFingerprints::Read(shop->lifecycle().store());
  ASSERT_TRUE(fingerprints.ok());
  const auto same = CompareWithStore(fingerprints->Without({}), shop->lifecycle().store());
  ASSERT_TRUE(same.ok());
  EXPECT_TRUE(same->changed.empty() && same->removed.empty());
  const std::set<std::string> touched = {"a0", "p1", "p9"};
  const auto unsure = CompareWithStore(fingerprints->Without(touched), shop->lifecycle().store());
  ASSERT_TRUE(unsure.ok());
  EXPECT_EQ(unsure->changed, std::vector<std::string>{"p1"});
  EXPECT_EQ(unsure->removed, (std::vector<std::string>{"a0", "p9"}));
}

}  // namespace
}  // namespace emptor::services
