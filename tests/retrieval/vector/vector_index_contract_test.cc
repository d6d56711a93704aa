// One contract for every factory string: as a faiss::Index, and behind VectorIndex.
#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVF.h>
#include <faiss/impl/FaissException.h>
#include <faiss/impl/IDSelector.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "retrieval/vector/faiss_factory.h"
#include "retrieval/vector/rabitq_index.h"
#include "retrieval/vector/record_selector.h"
#include "retrieval/vector/vector_index.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

constexpr int kDimension = 48;
constexpr size_t kCount = 5000;  // enough for RaBitQIndex to use its codes
constexpr size_t kQueries = 30;

/// What FAISS documents of remove_ids.
enum class Removal { kMovesIdsUp, kKeepsIds, kIsRefused };

struct RaBitQ {
  static constexpr const char* kFactory = "RaBitQ1,Refine8";
  static constexpr double kRecall = 0.99;
  static constexpr float kCodeError = 2e-5f;
  static constexpr Removal kRemoval = Removal::kMovesIdsUp;
};
struct Flat {
  static constexpr const char* kFactory = "Flat";
  static constexpr double kRecall = 0.999;
  static constexpr float kCodeError = 0;
  static constexpr Removal kRemoval = Removal::kMovesIdsUp;
};
struct Sq8 {
  static constexpr const char* kFactory = "SQ8";
  static constexpr double kRecall = 0.999;
  static constexpr float kCodeError = 4e-3f;
  static constexpr Removal kRemoval = Removal::kMovesIdsUp;
};
struct IvfFlat {
  static constexpr const char* kFactory = "IVF64,Flat";
  static constexpr double kRecall = 0.95;
  static constexpr float kCodeError = 0;
  static constexpr Removal kRemoval = Removal::kKeepsIds;
};
struct IvfSq8 {
  static constexpr const char* kFactory = "IVF64,SQ8";
  static constexpr double kRecall = 0.95;
  static constexpr float kCodeError = 4e-3f;
  static constexpr Removal kRemoval = Removal::kKeepsIds;
};
struct HnswFlat {
  static constexpr const char* kFactory = "HNSW32,Flat";
  static constexpr double kRecall = 0.95;
  static constexpr float kCodeError = 0;
  static constexpr Removal kRemoval = Removal::kIsRefused;
};
struct HnswSq8 {
  static constexpr const char* kFactory = "HNSW32,SQ8";
  static constexpr double kRecall = 0.95;
  static constexpr float kCodeError = 4e-3f;
  static constexpr Removal kRemoval = Removal::kIsRefused;
};

const std::vector<float>& Rows() {
  static const std::vector<float> rows = testing::ClusteredVectors(kCount, kDimension, 40, 1);
  return rows;
}
const std::vector<float>& Queries() {
  static const std::vector<float> rows = testing::ClusteredVectors(kQueries, kDimension, 40, 2);
  return rows;
}

std::span<const float> Row(const std::vector<float>& rows, size_t i) {
  return std::span(rows).subspan(i * kDimension, kDimension);
}

QuantizedRows Quantized(const std::vector<float>& values) {
  QuantizedRows rows(kDimension);
  for (size_t i = 0; i * kDimension < values.size(); ++i) rows.Add(Row(values, i));
  return rows;
}

RecordSet EveryNth(uint32_t n) {
  RecordSet set(kCount);
  for (uint32_t i = 0; i < kCount; i += n) set.Insert(i);
  return set;
}

/// faiss::IndexFlat is the oracle. `allowed` null: all.
std::vector<faiss_id> TrueBest(std::span<const float> query, size_t k, const RecordSet* allowed) {
  static const faiss::IndexFlatIP oracle = [] {
    faiss::IndexFlatIP made(kDimension);
    made.add(kCount, Rows().data());
    return made;
  }();
  std::vector<float> scores(k);
  std::vector<faiss_id> ids(k);
  faiss::SearchParameters params;
  const std::unique_ptr<RecordSelector> selector(allowed ? new RecordSelector(*allowed) : nullptr);
  params.sel = selector.get();
  oracle.search(1, query.data(), static_cast<faiss_id>(k), scores.data(), ids.data(), &params);
  std::erase(ids, -1);
  return ids;
}

/// As wide a search as VectorIndex asks for.
std::unique_ptr<faiss::SearchParameters> WideParameters(const faiss::Index& index,
                                                        faiss::IDSelector* selector) {
  std::unique_ptr<faiss::SearchParameters> params;
  if (const auto* lists = dynamic_cast<const faiss::IndexIVF*>(&index)) {
    auto made = std::make_unique<faiss::SearchParametersIVF>();
    made->nprobe = lists->nlist;
    params = std::move(made);
  } else if (dynamic_cast<const faiss::IndexHNSW*>(&index) != nullptr) {
    auto made = std::make_unique<faiss::SearchParametersHNSW>();
    made->efSearch = kCount;
    params = std::move(made);
  } else {
    params = std::make_unique<faiss::SearchParameters>();
  }
  params->sel = selector;
  return params;
}

std::vector<faiss_id> SearchRaw(const faiss::Index& index, std::span<const float> query, size_t k,
                                faiss::IDSelector* selector = nullptr) {
  std::vector<float> scores(k);
  std::vector<faiss_id> ids(k);
  index.search(1, query.data(), static_cast<faiss_id>(k), scores.data(), ids.data(),
               WideParameters(index, selector).get());
  EXPECT_TRUE(std::is_sorted(scores.rbegin(), scores.rend()));
  return ids;
}

size_t CountCommon(const std::vector<faiss_id>& a, const std::vector<faiss_id>& b) {
  const std::set<faiss_id> set(a.begin(), a.end());
  return static_cast<size_t>(
      std::count_if(b.begin(), b.end(), [&](faiss_id id) { return set.contains(id); }));
}

template <typename Kind>
class VectorIndexContractTest : public ::testing::Test {
 protected:
  static VectorIndexSpec Spec() { return *ParseVectorIndex(Kind::kFactory); }

  static std::unique_ptr<faiss::Index> MakeRaw() {
    const OpenMpThreads one_thread(1);  // equal graphs in every run
    auto index = MakeFaissIndex(Spec(), kDimension);
    EXPECT_TRUE(FillFaissIndex(Quantized(Rows()), *index, {}).ok());
    return index;
  }

  static const VectorIndex& index() {
    static const auto made =
        *VectorIndex::Build(Quantized(Rows()), {.spec = Spec(), .training_threads = 1});
    return *made;
  }

  static std::vector<faiss_id> Search(const VectorIndex& index, std::span<const float> query,
                                      size_t k, const RecordSet* allowed = nullptr) {
    const auto found = index.Search(query, k, allowed);
    EXPECT_TRUE(found.ok()) << found.status();
    std::vector<faiss_id> ids;
    for (const ScoredRecord& each : found->best) ids.push_back(each.record);
    return ids;
  }

  /// Share of the true best that VectorIndex finds.
  static double Recall(size_t k, const RecordSet* allowed) {
    size_t found = 0, wanted = 0;
    for (size_t q = 0; q < kQueries; ++q) {
      const auto truth = TrueBest(Row(Queries(), q), k, allowed);
      found += CountCommon(truth, Search(index(), Row(Queries(), q), k, allowed));
      wanted += truth.size();
    }
    return static_cast<double>(found) / static_cast<double>(wanted);
  }
};

using Kinds = ::testing::Types<RaBitQ, Flat, Sq8, IvfFlat, IvfSq8, HnswFlat, HnswSq8>;
TYPED_TEST_SUITE(VectorIndexContractTest, Kinds);

// As a faiss::Index.

TYPED_TEST(VectorIndexContractTest, FaissSearchKeepsToItsSelector) {
  const auto index = this->MakeRaw();
  ASSERT_EQ(index->ntotal, static_cast<faiss_id>(kCount));
  const RecordSet one_percent = EveryNth(100), all(kCount, true), none(kCount);
  RecordSelector few(one_percent), every(all), empty(none);
  size_t found = 0;
  for (size_t q = 0; q < kQueries; ++q) {
    const auto query = Row(Queries(), q);
    const auto got = SearchRaw(*index, query, 10, &few);
    for (const faiss_id id : got) EXPECT_TRUE(few.is_member(id)) << id;
    found += CountCommon(got, TrueBest(query, 10, &one_percent));
    EXPECT_EQ(SearchRaw(*index, query, 10, &every), SearchRaw(*index, query, 10));
    EXPECT_EQ(SearchRaw(*index, query, 10, &empty), std::vector<faiss_id>(10, -1));
  }
  EXPECT_GE(found, static_cast<size_t>(10 * kQueries * 0.95));
}

TYPED_TEST(VectorIndexContractTest, FaissSelectorsOfEveryKindMeanTheSame) {
  const auto index = this->MakeRaw();
  RecordSet first_half(kCount);
  std::vector<faiss_id> ids;
  for (uint32_t i = 0; i < kCount / 2; ++i) {
    first_half.Insert(i);
    ids.push_back(i);
  }
  RecordSelector ours(first_half);
  faiss::IDSelectorRange range(0, kCount / 2);
  faiss::IDSelectorBatch batch(ids.size(), ids.data());
  faiss::IDSelectorBitmap bitmap((kCount + 7) / 8,
                                 reinterpret_cast<const uint8_t*>(first_half.words().data()));
  for (size_t q = 0; q < 10; ++q) {
    const auto want = SearchRaw(*index, Row(Queries(), q), 20, &ours);
    EXPECT_EQ(SearchRaw(*index, Row(Queries(), q), 20, &range), want);
    EXPECT_EQ(SearchRaw(*index, Row(Queries(), q), 20, &batch), want);
    EXPECT_EQ(SearchRaw(*index, Row(Queries(), q), 20, &bitmap), want);
  }
}

TYPED_TEST(VectorIndexContractTest, FaissBatchAnswersAsSingleQueriesDo) {
  const auto index = this->MakeRaw();
  std::vector<float> scores(kQueries * 10);
  std::vector<faiss_id> ids(kQueries * 10);
  const RecordSet half = EveryNth(2);
  RecordSelector selector(half);
  const auto params = WideParameters(*index, &selector);
  index->search(kQueries, Queries().data(), 10, scores.data(), ids.data(), params.get());
  size_t same = 0;  // FAISS compares with several queries at once in another order of rounding
  for (size_t q = 0; q < kQueries; ++q) {
    const auto alone = SearchRaw(*index, Row(Queries(), q), 10, &selector);
    same += CountCommon(alone, {ids.begin() + static_cast<ptrdiff_t>(q * 10),
                                ids.begin() + static_cast<ptrdiff_t>(q * 10 + 10)});
  }
  EXPECT_GE(same, kQueries * 10 - 5);
}

TYPED_TEST(VectorIndexContractTest, FaissAddAfterBuildIsFound) {
  const auto index = this->MakeRaw();
  index->add(1, Queries().data());
  EXPECT_EQ(index->ntotal, static_cast<faiss_id>(kCount + 1));
  EXPECT_EQ(SearchRaw(*index, Row(Queries(), 0), 1)[0], static_cast<faiss_id>(kCount));
}

TYPED_TEST(VectorIndexContractTest, FaissRemovesAsItsKindDoes) {
  const auto index = this->MakeRaw();
  const faiss::IDSelectorRange first(0, 100);
  if (TypeParam::kRemoval == Removal::kIsRefused) {
    EXPECT_THROW(index->remove_ids(first), faiss::FaissException);
    return;
  }
  EXPECT_EQ(index->remove_ids(first), 100u);
  EXPECT_EQ(index->ntotal, static_cast<faiss_id>(kCount - 100));
  const faiss_id moved = TypeParam::kRemoval == Removal::kMovesIdsUp ? 100 : 0;
  for (const size_t row : {size_t{100}, size_t{2500}, kCount - 1}) {
    EXPECT_EQ(SearchRaw(*index, Row(Rows(), row), 1)[0], static_cast<faiss_id>(row) - moved);
  }
  EXPECT_EQ(index->remove_ids(faiss::IDSelectorRange(static_cast<faiss_id>(kCount), 9999)), 0u);
}

TYPED_TEST(VectorIndexContractTest, FaissReconstructsWithinTheErrorOfItsCodes) {
  const auto index = this->MakeRaw();
  if (auto* lists = dynamic_cast<faiss::IndexIVF*>(index.get())) lists->make_direct_map();
  std::vector<float> vector(kDimension);
  const float rounding = 2e-5f;  // of the rows that the index was filled with
  for (size_t i = 0; i < kCount; i += 97) {
    index->reconstruct(static_cast<faiss_id>(i), vector.data());
    for (size_t j = 0; j < kDimension; ++j) {
      EXPECT_NEAR(vector[j], Row(Rows(), i)[j], TypeParam::kCodeError + rounding) << i;
    }
  }
}

TYPED_TEST(VectorIndexContractTest, FaissResetLeavesAnIndexThatCanBeFilledAgain) {
  const auto index = this->MakeRaw();
  index->reset();
  EXPECT_EQ(index->ntotal, 0);
  EXPECT_EQ(SearchRaw(*index, Row(Queries(), 0), 3), std::vector<faiss_id>(3, -1));
  index->add(200, Rows().data());
  EXPECT_EQ(SearchRaw(*index, Row(Rows(), 150), 1)[0], 150);
}

// Behind VectorIndex.

TYPED_TEST(VectorIndexContractTest, GivesBackItsVectors) {
  ASSERT_EQ(this->index().spec().factory, TypeParam::kFactory);
  ASSERT_EQ(this->index().size(), kCount);
  ASSERT_EQ(this->index().dimension(), kDimension);
  EXPECT_GE(this->index().byte_size(), kCount * (2 * kDimension + 4));
  for (uint32_t i = 0; i < kCount; i += 37) {
    std::vector<float> vector(kDimension);
    this->index().rows().DecodeInto(i, vector);
    for (size_t j = 0; j < kDimension; ++j) EXPECT_NEAR(vector[j], Row(Rows(), i)[j], 2e-5) << i;
  }
}

TYPED_TEST(VectorIndexContractTest, FindsTheNearest) {
  EXPECT_GE(this->Recall(10, nullptr), TypeParam::kRecall);
  EXPECT_GE(this->Recall(200, nullptr), std::min(TypeParam::kRecall, 0.98));
}

TYPED_TEST(VectorIndexContractTest, FindsTheNearestOfWhatAFilterKeeps) {
  for (const uint32_t n : {1u, 2u, 5u, 9u}) {
    const RecordSet allowed = EveryNth(n);
    EXPECT_GE(this->Recall(10, &allowed), std::min(TypeParam::kRecall, 0.99)) << "one in " << n;
  }
}

TYPED_TEST(VectorIndexContractTest, IsExactWhereAFilterKeepsLittle) {
  for (const uint32_t n : {11u, 100u, 1000u}) {
    const RecordSet allowed = EveryNth(n);
    const auto got = this->index().Search(Row(Rows(), 5), 10, &allowed);
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got->path, this->Spec().is_kept() ? VectorPath::kScan : VectorPath::kFaiss);
    EXPECT_EQ(this->Search(this->index(), Row(Rows(), 5), 10, &allowed),
              TrueBest(Row(Rows(), 5), 10, &allowed))
        << "one in " << n;
  }
}

TYPED_TEST(VectorIndexContractTest, ReturnsAsManyAsThereAre) {
  const auto query = Row(Rows(), 0);
  EXPECT_EQ(this->Search(this->index(), query, kCount + 10).size(), kCount);
  EXPECT_EQ(this->Search(this->index(), query, 0).size(), 0u);
  const RecordSet third = EveryNth(3);
  EXPECT_EQ(this->Search(this->index(), query, kCount, &third).size(), third.count());
  const RecordSet none(kCount);
  EXPECT_EQ(this->Search(this->index(), query, 10, &none).size(), 0u);
}

TYPED_TEST(VectorIndexContractTest, OrdersByScoreAndReturnsOnlyAllowed) {
  const RecordSet allowed = EveryNth(3);
  const auto got = this->index().Search(Row(Rows(), 7), 50, &allowed);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->path, VectorPath::kFaiss);
  EXPECT_TRUE(std::is_sorted(got->best.begin(), got->best.end(), RanksBefore));
  for (const ScoredRecord& hit : got->best) {
    EXPECT_TRUE(allowed.contains(hit.record));
    const double want = testing::InnerProduct(Row(Rows(), 7), Row(Rows(), hit.record));
    EXPECT_NEAR(hit.score, want, 5e-5);  // half a fine step of 48 values, on both sides
  }
}

TYPED_TEST(VectorIndexContractTest, EqualScoresRankByPosition) {
  std::vector<float> rows = Rows();
  for (const size_t copy : {900u, 1700u, 4321u}) {
    std::copy_n(Row(Rows(), 42).begin(), kDimension, &rows[copy * kDimension]);
  }
  const auto index = *VectorIndex::Build(Quantized(rows), {.spec = this->Spec()});
  EXPECT_EQ(this->Search(*index, Row(rows, 42), 4), (std::vector<faiss_id>{42, 900, 1700, 4321}));
}

TYPED_TEST(VectorIndexContractTest, RefusesQueriesThatHaveNoDirection) {
  std::vector<float> query(Row(Rows(), 0).begin(), Row(Rows(), 0).end());
  query[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(absl::IsInvalidArgument(this->index().Search(query, 10, nullptr).status()));
  query[3] = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(absl::IsInvalidArgument(this->index().Search(query, 10, nullptr).status()));
  const std::vector<float> zero(kDimension);
  EXPECT_TRUE(absl::IsInvalidArgument(this->index().Search(zero, 10, nullptr).status()));
  const std::vector<float> short_query(kDimension - 1, 1.0f);
  EXPECT_TRUE(absl::IsInvalidArgument(this->index().Search(short_query, 10, nullptr).status()));
}

TYPED_TEST(VectorIndexContractTest, AnswersAlikeAfterSavingAndOpening) {
  const VectorIndex& saved = this->index();
  std::unique_ptr<VectorIndex> opened;
  QuantizedRows rows(kDimension);  // as a segment file keeps them
  for (size_t i = 0; i < kCount; ++i) {
    rows.AddCodes(saved.rows().scale_at(i), {saved.rows().coarse_at(i), kDimension},
                  {saved.rows().fine_at(i), kDimension});
  }
  if (this->Spec().is_kept()) {
    const std::string path =
        (std::filesystem::temp_directory_path() /
         ("emptor_contract_" + std::to_string(::getpid()) + TypeParam::kFactory))
            .string();
    const IndexFileKey key{.factory = TypeParam::kFactory,
                           .model_id = "m",
                           .dimension = kDimension,
                           .count = kCount,
                           .source = {}};
    ASSERT_TRUE(saved.Save(path, key).ok());
    auto loaded = VectorIndex::Load(path, key, rows, {.spec = this->Spec()});
    std::filesystem::remove(path);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    opened = *std::move(loaded);
  } else {
    opened = *VectorIndex::Build(std::move(rows), {.spec = this->Spec()});
  }
  const RecordSet half = EveryNth(2);
  for (size_t q = 0; q < kQueries; ++q) {
    for (const RecordSet* allowed : {static_cast<const RecordSet*>(nullptr), &half}) {
      EXPECT_EQ(opened->Search(Row(Queries(), q), 20, allowed)->best,
                saved.Search(Row(Queries(), q), 20, allowed)->best);
    }
  }
}

TYPED_TEST(VectorIndexContractTest, SearchesFromSeveralThreadsAlike) {
  const auto want = this->index().Search(Row(Rows(), 9), 20, nullptr)->best;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(this->index().Search(Row(Rows(), 9), 20, nullptr)->best, want);
      }
    });
  }
}

TYPED_TEST(VectorIndexContractTest, StopsTraining) {
  if (!this->Spec().is_kept()) return;  // made in a moment
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(absl::IsCancelled(
      VectorIndex::Build(Quantized(Rows()), {.spec = this->Spec()}, stop.get_token()).status()));
}

}  // namespace
}  // namespace emptor::retrieval
