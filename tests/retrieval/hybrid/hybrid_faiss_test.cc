// The searcher with a trained index: its file, merges, and the count of paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using testing::Ids;
using testing::Indexed;
using testing::MakeProduct;

constexpr size_t kProducts = 1200;

class HybridFaissTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("emptor_hybrid_") + info->name() + std::to_string(::getpid()));
    options_.index_directory = directory_.string();
    options_.vector_index = *ParseVectorIndex("IVF8,SQ8");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static catalog::Product Product(size_t i) {
    return MakeProduct(testing::Numbered("p", i), testing::Numbered("word", i % 97) + " kettle",
                       testing::Numbered("brand", i % 3), testing::Numbered("cat", i % 50));
  }

  std::vector<IndexedProduct> Records(size_t count) const {
    std::vector<IndexedProduct> records;
    for (size_t i = 0; i < count; ++i) records.push_back(Indexed(embedder_, Product(i)));
    return records;
  }

  std::unique_ptr<HybridSearcher> Build() const {
    auto searcher = HybridSearcher::Build(Records(kProducts), embedder_, options_);
    EXPECT_TRUE(searcher.ok()) << searcher.status();
    return *std::move(searcher);
  }

  std::vector<std::string> Answer(const HybridSearcher& searcher) const {
    return Ids(*searcher.Search({.query = "word13 kettle", .limit = 20}));
  }

  std::string File() const { return (directory_ / "vectors.idx").string(); }

  std::filesystem::path directory_;
  HybridOptions options_;
  HashingEmbedder embedder_{32};
};

TEST_F(HybridFaissTest, SecondBuildUsesTheFile) {
  const auto first = Build();
  ASSERT_TRUE(std::filesystem::exists(File()));
  const auto written = std::filesystem::last_write_time(File());
  std::filesystem::last_write_time(File(), written - std::chrono::hours(1));
  const auto second = Build();
  EXPECT_EQ(std::filesystem::last_write_time(File()), written - std::chrono::hours(1));
  EXPECT_EQ(Answer(*second), Answer(*first));
}

TEST_F(HybridFaissTest, DamagedFileIsReplaced) {
  const auto want = Answer(*Build());
  std::string bytes;
  {
    std::ifstream in(File(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::string damaged = bytes;
  damaged[damaged.size() - 100] = static_cast<char>(damaged[damaged.size() - 100] ^ 1);
  std::ofstream(File(), std::ios::binary | std::ios::trunc) << damaged;
  EXPECT_EQ(Answer(*Build()), want);
  std::ifstream in(File(), std::ios::binary);
  const std::string after(std::istreambuf_iterator<char>(in), {});
  EXPECT_NE(after, damaged);
}

TEST_F(HybridFaissTest, ChangedRecordsDoNotUseTheOldFile) {
  Build();
  const auto written = std::filesystem::last_write_time(File());
  std::filesystem::last_write_time(File(), written - std::chrono::hours(1));
  auto records = Records(kProducts);
  std::swap(records[0].vector, records[1].vector);
  ASSERT_TRUE(HybridSearcher::Build(std::move(records), embedder_, options_).ok());
  EXPECT_NE(std::filesystem::last_write_time(File()), written - std::chrono::hours(1));
}

TEST_F(HybridFaissTest, AnIndexThatNeedsNoTrainingKeepsNoFile) {
  Build();
  ASSERT_TRUE(std::filesystem::exists(File()));
  options_.vector_index = {};
  Build();
  EXPECT_FALSE(std::filesystem::exists(File()));
}

TEST_F(HybridFaissTest, UnwritableDirectoryCostsOnlyTheFile) {
  options_.index_directory = "/proc/nowhere";
  EXPECT_EQ(Build()->size(), kProducts);
}

TEST_F(HybridFaissTest, TooFewVectorsForTheListsAreSearchedThroughTheDefault) {
  options_.vector_index = *ParseVectorIndex("IVF1000,SQ8");
  const auto searcher = Build();
  EXPECT_FALSE(std::filesystem::exists(File()));
  EXPECT_EQ(Answer(*searcher).size(), 20u);
}

TEST_F(HybridFaissTest, ADefaultShopSearchesThroughFaiss) {
  options_.vector_index = {};
  const auto searcher = Build();
  ASSERT_TRUE(searcher->Search({.query = "kettle"}).ok());
  ASSERT_TRUE(searcher->Search({.query = "kettle", .filter = {.categories = {"cat7"}}}).ok());
  EXPECT_EQ(searcher->stats().faiss_searches, 2u);
  EXPECT_EQ(searcher->stats().scan_searches, 0u);
}

TEST_F(HybridFaissTest, CountsWhichWayEachSearchWent) {
  const auto searcher = Build();
  ASSERT_TRUE(searcher->Search({.query = "kettle"}).ok());
  EXPECT_EQ(searcher->stats().faiss_searches, 1u);
  EXPECT_EQ(searcher->stats().scan_searches, 0u);
  ASSERT_TRUE(searcher->Search({.query = "kettle", .filter = {.brands = {"brand1"}}}).ok());
  EXPECT_EQ(searcher->stats().faiss_searches, 2u);  // a third passes
  const SearchRequest narrow{.query = "kettle", .filter = {.categories = {"cat7"}}, .limit = 100};
  const auto result = searcher->Search(narrow);
  EXPECT_EQ(searcher->stats().scan_searches, 1u);  // two per cent pass
  EXPECT_EQ(result->hits.size(), kProducts / 50);
  EXPECT_EQ(result->matched, kProducts / 50);
}

TEST_F(HybridFaissTest, RecordsThatComeLaterAreCompactedIntoTheFaissPart) {
  auto searcher = HybridSearcher::Build({}, embedder_, options_);
  ASSERT_TRUE(searcher.ok());
  const auto records = Records(kProducts);
  for (size_t i = 0; i < kProducts; i += 100) {
    ASSERT_TRUE((*searcher)
                    ->Upsert({records.begin() + static_cast<ptrdiff_t>(i),
                              records.begin() + static_cast<ptrdiff_t>(i + 100)})
                    .ok());
  }
  (*searcher)->WaitForMerges();
  const auto stats = (*searcher)->stats();
  EXPECT_GE(stats.immutable_vectors, 500u);
  EXPECT_GE(stats.full_compactions, 1u);
  EXPECT_EQ(stats.products, kProducts);
  EXPECT_TRUE(std::filesystem::exists(File()));
  std::vector<std::string> gone;
  for (size_t i = 0; i < kProducts; i += 2) gone.push_back(testing::Numbered("p", i));
  (*searcher)->Remove(gone);
  EXPECT_EQ((*searcher)->size(), kProducts / 2);
  const auto all = (*searcher)->Search({.query = "kettle", .limit = 1000});
  EXPECT_EQ(all->hits.size(), kProducts / 2);
  for (const Hit& hit : all->hits) EXPECT_EQ(std::stoi(hit.id.substr(1)) % 2, 1) << hit.id;
}

TEST_F(HybridFaissTest, EndsWhileAStructureIsTrained) {
  auto searcher = HybridSearcher::Build({}, embedder_, options_);
  ASSERT_TRUE(searcher.ok());
  ASSERT_TRUE((*searcher)->Upsert(Records(kProducts)).ok());  // due for a full compaction
  EXPECT_EQ(Answer(**searcher).size(), 20u);
  searcher->reset();
}

TEST_F(HybridFaissTest, OnePerCentFilterAnswersExactly) {
  const auto searcher = Build();
  const auto flat = [&] {
    return *HybridSearcher::Build(Records(kProducts), embedder_, HybridOptions{});
  }();
  for (size_t category = 0; category < 50; category += 7) {
    for (const int limit : {10, 100}) {
      const SearchRequest request{.query = "word13 kettle",
                                  .filter = {.categories = {testing::Numbered("cat", category)}},
                                  .limit = limit};
      const auto want = flat->Search(request);
      const auto got = searcher->Search(request);
      EXPECT_EQ(Ids(*got), Ids(*want));
      EXPECT_EQ(got->hits.size(), std::min<size_t>(static_cast<size_t>(limit), kProducts / 50));
    }
  }
}

}  // namespace
}  // namespace emptor::retrieval
