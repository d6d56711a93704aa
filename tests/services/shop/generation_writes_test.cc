// Writes to the served generation while the next one is built.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/jobs.h"
#include "services/shop/shop_directory.h"
#include "tests/services/shop/shop_writes.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using catalog::ImportMode;
using testing::FillShop;
using testing::ImportLines;
using testing::ProductLine;
using testing::SetPrice;
using Code = absl::StatusCode;

catalog::Product Get(const Shop& shop, const std::string& id) {
  const auto product = shop.reader().FindProduct(id);
  if (product.ok() && product->has_value()) return **product;
  catalog::Product nothing;
  nothing.title = "nothing";
  return nothing;
}

std::vector<std::string> FindIds(const Shop& shop, const std::string& query) {
  retrieval::SearchRequest request{.query = query, .mode = retrieval::SearchMode::kLexical};
  std::vector<std::string> ids;
  const auto found = shop.reader().SearchProducts(request);
  EXPECT_TRUE(found.ok()) << found.status();
  if (!found.ok()) return ids;
  for (const retrieval::Hit& hit : found->hits) ids.push_back(hit.id);
  return ids;
}

class GenerationWritesTest : public ::testing::Test {
 protected:
  GenerationWritesTest() {
    ShopDirectoryOptions options;
    options.data_directory = folder_.path();
    options.shop.create_if_missing = true;
    shops_ = std::make_unique<ShopDirectory>(options, embedder_);
    EXPECT_TRUE(FillShop(*Served(), 10, "old").ok());
  }
  std::shared_ptr<Shop> Served() { return *shops_->Find(kDefaultShop); }
  absl::Status Rebuild(const std::function<void(Shop& served)>& meanwhile, int count = 10) {
    const auto served = Served();
    return shops_->Rebuild(kDefaultShop, {}, [&](Shop& next) {
      absl::Status status = FillShop(next, count, "new");
      meanwhile(*served);
      return status;
    });
  }

  const emptor::testing::TemporaryDirectory folder_;
  const retrieval::HashingEmbedder embedder_{32};
  std::unique_ptr<ShopDirectory> shops_;
};

TEST_F(GenerationWritesTest, WritesDuringARebuildAreInTheNextGeneration) {
  const absl::Status status = Rebuild([](Shop& served) {
    EXPECT_TRUE(SetPrice(served, "p3", 777).ok());
    EXPECT_TRUE(ImportLines(served, ProductLine("p4", "written kettle") +
                                        ProductLine("p99", "added lamp") +
                                        ProductLine("p6", "Kettle 6 of old") +
                                        "{\"id\":\"p5\",\"deleted\":true}\n" +
                                        "{\"id\":\"d1\",\"kind\":\"policy\",\"title\":\"Returns\","
                                        "\"text\":\"Thirty days.\"}\n")
                    .ok());
    EXPECT_TRUE(served.writer().WriteMetadata({{"note", "kept"}}).ok());
  });
  ASSERT_TRUE(status.ok()) << status;
  const auto shop = Served();
  EXPECT_EQ(Get(*shop, "p2").title, "Kettle 2 of new");
  EXPECT_EQ(Get(*shop, "p3").title, "Kettle 3 of new") << "a price changes nothing but the price";
  ASSERT_TRUE(Get(*shop, "p3").price.has_value());
  EXPECT_EQ(Get(*shop, "p3").price->amount, 777);
  EXPECT_EQ(Get(*shop, "p4").title, "written kettle");
  EXPECT_EQ(Get(*shop, "p5").title, "nothing");
  EXPECT_EQ(Get(*shop, "p6").title, "Kettle 6 of old") << "acknowledged as unchanged";
  EXPECT_EQ(Get(*shop, "p99").title, "added lamp");
  EXPECT_EQ(shop->reader().info().products, 10u);
  EXPECT_TRUE((*shop->reader().FindDocument("d1")).has_value());
  std::string note;
  EXPECT_TRUE(shop->writer()
                  .ScanMetadata([&](std::string_view name, std::string_view value) {
                    if (name == "note") note = value;
                    return true;
                  })
                  .ok());
  EXPECT_EQ(note, "kept");
  EXPECT_THAT(FindIds(*shop, "written"), ::testing::ElementsAre("p4"));
  EXPECT_THAT(FindIds(*shop, "lamp"), ::testing::ElementsAre("p99"));
  EXPECT_THAT(FindIds(*shop, "old"), ::testing::ElementsAre("p6"));
}

TEST_F(GenerationWritesTest, AReplacementDuringARebuildRemovesOtherProducts) {
  const absl::Status status = Rebuild(
      [](Shop& served) {
        std::string lines;
        for (int i = 0; i < 10; ++i) lines += ProductLine(fmt::format("p{}", i), "replaced");
        EXPECT_TRUE(ImportLines(served, lines, ImportMode::kReplace).ok());
      },
      /*count=*/12);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(Served()->reader().info().products, 10u)
      << "p10 and p11 were left out by the later feed";
  EXPECT_EQ(Get(*Served(), "p9").title, "replaced");
}

TEST_F(GenerationWritesTest, TheOldGenerationRefusesWritesUntilItIsServedAgain) {
  const auto old = Served();
  ASSERT_TRUE(Rebuild([](Shop&) {}).ok());
  EXPECT_EQ(SetPrice(*old, "p1", 5).code(), Code::kAborted);
  EXPECT_EQ(ImportLines(*old, ProductLine("p1", "lost")).status().code(), Code::kAborted);
  EXPECT_EQ(old->writer().WriteMetadata({{"n", "lost"}}).code(), Code::kAborted);
  const auto next = Served();
  ASSERT_TRUE(shops_->RollBack(kDefaultShop).ok());
  EXPECT_EQ(SetPrice(*next, "p1", 5).code(), Code::kAborted);
  EXPECT_TRUE(SetPrice(*Served(), "p1", 5).ok());
}

TEST_F(GenerationWritesTest, AFailedBuildLeavesTheOldOneWritable) {
  ASSERT_EQ(Rebuild([](Shop& served) { EXPECT_TRUE(SetPrice(served, "p1", 5).ok()); }, 2).code(),
            Code::kFailedPrecondition);
  EXPECT_TRUE(SetPrice(*Served(), "p1", 6).ok());
  EXPECT_EQ(Get(*Served(), "p1").price->amount, 6);
  ASSERT_TRUE(Rebuild([](Shop&) {}).ok());
  EXPECT_FALSE(Get(*Served(), "p1").price.has_value()) << "written before: the feed is the truth";
}

TEST_F(GenerationWritesTest, NoAcknowledgedWriteIsLostWhileGenerationsChange) {
  constexpr int kWriters = 3;
  std::atomic<bool> stop{false};
  std::array<std::atomic<int64_t>, kWriters> acknowledged{};
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int64_t n = 1; !stop; ++n) {
        absl::Status status = absl::AbortedError("");
        while (absl::IsAborted(status)) {
          status = SetPrice(*Served(), fmt::format("p{}", w), n);
        }
        ASSERT_TRUE(status.ok()) << status;
        acknowledged.at(static_cast<size_t>(w)) = n;
      }
    });
  }
  for (int flip = 0; flip < 8; ++flip) {
    std::array<int64_t, kWriters> before{};
    const absl::Status status = shops_->Rebuild(kDefaultShop, {}, [&](Shop& next) {
      absl::Status filled = FillShop(next, 10, "new");
      for (auto& each : acknowledged) {  // some of every writer fall into the build
        const int64_t seen = each;
        while (each < seen + 3) std::this_thread::yield();
      }
      return filled;
    });
    ASSERT_TRUE(status.ok()) << status;
    const auto shop = Served();
    for (size_t w = 0; w < kWriters; ++w) before.at(w) = acknowledged.at(w);
    for (size_t w = 0; w < kWriters; ++w) {
      const auto price = Get(*shop, fmt::format("p{}", w)).price;
      ASSERT_TRUE(price.has_value());
      EXPECT_GE(price->amount, before.at(w));
    }
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
}

// An upload was promised: it goes on in the next generation, and its key still stands for it.
TEST_F(GenerationWritesTest, JobsContinueInTheNextGeneration) {
  const auto open_jobs = [](Shop& shop) {
    return *Jobs::Open(shop.writer(), {.directory = shop.directory() + "/jobs", .batch_lines = 2});
  };
  const auto old = Served();
  auto jobs = open_jobs(*old);
  const std::string feed = ProductLine("p90", "upload 0") + ProductLine("p91", "upload 1") +
                           ProductLine("p92", "upload 2") + ProductLine("p93", "upload 3");
  JobSpec spec;
  spec.digest = "d";
  spec.idempotency_key = "k";
  const auto started = jobs->Start(spec, feed);
  ASSERT_TRUE(started.ok()) << started.status();
  ASSERT_TRUE(Rebuild([](Shop&) {}).ok());
  const auto left = jobs->RunKept(started->job.id);  // as a thread that was about to run it
  ASSERT_TRUE(left.ok()) << left.status();
  EXPECT_EQ(left->state, JobState::kQueued) << "the old generation takes nothing";
  jobs = open_jobs(*Served());
  EXPECT_THAT(jobs->QueuedIds(), ::testing::ElementsAre(started->job.id));
  const auto run = jobs->RunKept(started->job.id);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->state, JobState::kDone);
  EXPECT_EQ(run->report.created, 4u);
  EXPECT_EQ(Get(*Served(), "p93").title, "upload 3");
  const auto again = jobs->Start(spec, feed);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(again->is_new);
  ASSERT_TRUE(Rebuild([](Shop&) {}, 12).ok());
  const auto later = open_jobs(*Served());
  EXPECT_FALSE(later->Start(spec, feed)->is_new);
  EXPECT_EQ(*later->ReadResults(started->job.id), *jobs->ReadResults(started->job.id));
}

}  // namespace
}  // namespace emptor::services
