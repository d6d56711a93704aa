// A shop's index on disk: opens as it was saved, or is refused.
#include "retrieval/segment/segment_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/embedding/hashing_embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "tests/retrieval/support/random_text.h"

namespace emptor::retrieval {
namespace {

using testing::Indexed;
using testing::MakeProduct;

constexpr int kDimension = 32;

class SegmentFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("emptor_segments_") + info->name() + std::to_string(::getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  HybridOptions Options() const {
    HybridOptions options;
    options.index_directory = directory_.string();
    options.now_unix = [] { return int64_t{0}; };
    return options;
  }

  /// `count` products, then changes: an immutable part, a fresh segment and tombstones.
  std::unique_ptr<HybridSearcher> MakeShop(size_t count) const {
    std::mt19937 random(21);
    std::vector<IndexedProduct> records, changed;
    for (size_t i = 0; i < count; ++i) records.push_back(RandomRecord(random, i));
    for (size_t i = 0; i < 5; ++i) changed.push_back(RandomRecord(random, i * 3));
    auto shop = HybridSearcher::Build(std::move(records), embedder_, Options());
    EXPECT_TRUE(shop.ok()) << shop.status();
    EXPECT_TRUE((*shop)->Upsert(std::move(changed)).ok());
    (*shop)->Remove(std::vector<std::string>{"p4", "p7"});
    return *std::move(shop);
  }

  IndexedProduct RandomRecord(std::mt19937& random, size_t i) const {
    auto product = MakeProduct(testing::Numbered("p", i), testing::RandomText(random, 5),
                               testing::Numbered("brand", random() % 5), "Home > Kitchen",
                               100 + static_cast<int64_t>(random() % 9000));
    product.mpn = testing::Numbered("MPN-", 1000 + i);
    product.description = testing::RandomText(random, 12);
    return Indexed(embedder_, std::move(product));
  }

  static std::vector<SearchRequest> Requests() {
    std::mt19937 random(22);
    std::vector<SearchRequest> requests;
    for (int i = 0; i < 30; ++i) {
      SearchRequest request{.query = testing::RandomText(random, 2)};
      if (i % 3 == 0) request.filter.max_price = 4000;
      if (i % 5 == 0) request.filter.brands = {"brand2"};
      requests.push_back(request);
    }
    requests.push_back({.query = "\"q0 q1\""});
    requests.push_back({.query = "mpn-1009"});
    return requests;
  }

  static void ExpectSameAnswers(const HybridSearcher& a, const HybridSearcher& b) {
    ASSERT_EQ(a.size(), b.size());
    for (const SearchRequest& request : Requests()) {
      const auto from_a = a.Search(request);
      const auto from_b = b.Search(request);
      ASSERT_TRUE(from_a.ok() && from_b.ok());
      EXPECT_EQ(from_a->matched, from_b->matched) << request.query;
      ASSERT_EQ(from_a->hits.size(), from_b->hits.size()) << request.query;
      for (size_t i = 0; i < from_a->hits.size(); ++i) {
        EXPECT_EQ(from_a->hits[i].id, from_b->hits[i].id) << request.query;
        EXPECT_EQ(from_a->hits[i].score, from_b->hits[i].score) << request.query;
      }
    }
  }

  absl::Status OpenStatus(const std::string& source = "s1") const {
    return HybridSearcher::Open(source, embedder_, Options()).status();
  }

  std::string Path() const { return (directory_ / "segments.idx").string(); }
  std::string Bytes() const {
    std::ifstream in(Path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void Overwrite(const std::string& bytes) const {
    std::ofstream(Path(), std::ios::binary | std::ios::trunc) << bytes;
  }

  const HashingEmbedder embedder_{kDimension};
  std::filesystem::path directory_;
};

TEST_F(SegmentFileTest, OpensAsItWasSavedAndTakesChanges) {
  const auto shop = MakeShop(60);
  ASSERT_TRUE(shop->Save("s1", "what the caller keeps").ok());
  EXPECT_FALSE(std::filesystem::exists(Path() + ".new"));
  const auto opened = HybridSearcher::Open("s1", embedder_, Options());
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->attachment, "what the caller keeps");
  ExpectSameAnswers(*shop, *opened->searcher);

  std::mt19937 random(23);
  const IndexedProduct change = RandomRecord(random, 9);
  for (HybridSearcher* each : {shop.get(), opened->searcher.get()}) {
    ASSERT_TRUE(each->Upsert({change}).ok());
    each->Remove(std::vector<std::string>{"p11"});
  }
  ExpectSameAnswers(*shop, *opened->searcher);
  ASSERT_TRUE(opened->searcher->Save("s2", "").ok());  // over the file that is still mapped
  const auto again = HybridSearcher::Open("s2", embedder_, Options());
  ASSERT_TRUE(again.ok()) << again.status();
  ExpectSameAnswers(*shop, *again->searcher);
}

TEST_F(SegmentFileTest, AnEmptyShopComesBack) {
  const auto shop = HybridSearcher::Build({}, embedder_, Options());
  ASSERT_TRUE((*shop)->Save("s1", "").ok());
  const auto opened = HybridSearcher::Open("s1", embedder_, Options());
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->searcher->size(), 0u);
}

TEST_F(SegmentFileTest, AnotherSourceModelOrDimensionIsRefused) {
  EXPECT_TRUE(absl::IsNotFound(OpenStatus()));
  ASSERT_TRUE(MakeShop(20)->Save("s1", "").ok());
  EXPECT_TRUE(OpenStatus().ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenStatus("s2")));
  const HashingEmbedder other(kDimension * 2);
  EXPECT_TRUE(absl::IsFailedPrecondition(HybridSearcher::Open("s1", other, Options()).status()));
  std::string newer = Bytes();
  newer[8] = 77;
  Overwrite(newer);
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenStatus()));
  Overwrite(
      "no index at all, though it is long enough to hold the header of one of these files....."
      "........................");
  EXPECT_TRUE(absl::IsDataLoss(OpenStatus()));
}

TEST_F(SegmentFileTest, NothingIsKeptWithoutADirectory) {
  HybridOptions options = Options();
  options.index_directory.clear();
  EXPECT_TRUE(absl::IsNotFound(HybridSearcher::Open("s1", embedder_, options).status()));
  const auto shop = HybridSearcher::Build({}, embedder_, options);
  EXPECT_TRUE(absl::IsFailedPrecondition((*shop)->Save("s1", "")));
}

/// One of: flipped bits, a zeroed or repeated span, a cut, bytes put in.
std::string Mutate(std::string bytes, std::mt19937& random) {
  const size_t at = random() % bytes.size();
  const size_t size = std::min<size_t>(1 + random() % 4096, bytes.size() - at);
  switch (random() % 5) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      break;
    case 1:
      bytes.replace(at, size, size, '\0');
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.insert(at, bytes.substr(at, size));
      break;
    default:
      bytes.replace(at, size, bytes.substr(0, size));
  }
  return bytes;
}

// 600 mutations with EMPTOR_SOAK. A file is used as it was written or not at all.
TEST_F(SegmentFileTest, EveryMutationIsRefused) {
  ASSERT_TRUE(MakeShop(300)->Save("s1", "profile").ok());
  const std::string sound = Bytes();
  std::mt19937 random(24);
  for (size_t round = 0; round < testing::RoundsOf(30, 600); ++round) {
    const std::string damaged = Mutate(sound, random);
    if (damaged == sound) continue;
    Overwrite(damaged);
    const absl::Status status = OpenStatus();
    EXPECT_TRUE(absl::IsDataLoss(status) || absl::IsFailedPrecondition(status)) << status;
  }
}

// The same behind right digests: what passes the checks must still be safe to search.
TEST_F(SegmentFileTest, MutatedPayloadsAreRefusedOrHarmless) {
  ASSERT_TRUE(MakeShop(120)->Save("s1", "profile").ok());
  const Analyzer& analyzer = testing::SharedAnalyzer();
  const SealedFileKind kind = SegmentFileKind(analyzer, embedder_.model_id(), "s1");
  const auto mapped = MapSealedFile(Path(), kind);
  ASSERT_TRUE(mapped.ok()) << mapped.status();
  const std::string sound(mapped->bytes.begin(), mapped->bytes.end());
  std::mt19937 random(25);
  for (size_t round = 0; round < testing::RoundsOf(60, 600); ++round) {
    const std::string damaged = Mutate(sound, random);
    ASSERT_TRUE(WriteSealedFile(Path(), kind, [&](const SealedPayloadSink& sink) {
                  return sink(damaged.data(), damaged.size());
                }).ok());
    const auto opened = HybridSearcher::Open("s1", embedder_, Options());
    if (!opened.ok()) {
      EXPECT_TRUE(absl::IsDataLoss(opened.status())) << opened.status();
      continue;
    }
    for (const SearchRequest& request : Requests()) {
      EXPECT_TRUE(opened->searcher->Search(request).ok());
    }
  }
}

TEST_F(SegmentFileTest, AFailedWriteLeavesTheOldFile) {
  ASSERT_TRUE(MakeShop(20)->Save("s1", "").ok());
  const std::string before = Bytes();
  const SealedFileKind kind{.magic = "EMPTORSG", .version = 1, .key = "k"};
  EXPECT_EQ(WriteSealedFile(Path(), kind,
                            [](const SealedPayloadSink& sink) {
                              static_cast<void>(sink("half", 4));
                              return absl::InternalError("broken");
                            }),
            absl::InternalError("broken"));
  EXPECT_EQ(Bytes(), before);
  EXPECT_FALSE(std::filesystem::exists(Path() + ".new"));
}

}  // namespace
}  // namespace emptor::retrieval
