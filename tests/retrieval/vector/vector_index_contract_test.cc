// One contract for every implementation of the vector index port.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "retrieval/vector/dot_product.h"
#include "retrieval/vector/faiss_index.h"
#include "retrieval/vector/flat_index.h"
#include "retrieval/vector/vector_index.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

constexpr int kDimension = 48;
constexpr size_t kCount = 3000;

using IndexPointer = std::unique_ptr<const VectorIndex>;

QuantizedRows Quantized(const std::vector<float>& values) {
  QuantizedRows rows(kDimension);
  for (size_t i = 0; i < values.size(); i += kDimension) {
    rows.Add(std::span(values).subspan(i, kDimension));
  }
  return rows;
}

struct MakeFlat {
  static IndexPointer Make(const std::vector<float>& rows) {
    return std::make_unique<FlatIndex>(Quantized(rows));
  }
};
struct MakeFlatWithSigns {
  static IndexPointer Make(const std::vector<float>& rows) {
    return std::make_unique<FlatIndex>(Quantized(rows), 1);
  }
};
struct MakeLists {
  static IndexPointer Make(const std::vector<float>& rows) {
    return *FaissIndex::Train(Quantized(rows), {.structure = FaissOptions::Structure::kLists});
  }
};
struct MakeGraph {
  static IndexPointer Make(const std::vector<float>& rows) {
    return *FaissIndex::Train(Quantized(rows), {.structure = FaissOptions::Structure::kGraph});
  }
};

const std::vector<float>& Rows() {
  static const std::vector<float> rows = testing::ClusteredVectors(kCount, kDimension, 40, 1);
  return rows;
}

std::span<const float> Row(const std::vector<float>& rows, size_t i) {
  return std::span(rows).subspan(i * kDimension, kDimension);
}

/// The definition: every product in double precision, sorted.
std::vector<uint32_t> TrueBest(std::span<const float> query, size_t k, const RecordSet* allowed) {
  std::vector<std::pair<double, uint32_t>> scored;
  for (uint32_t i = 0; i < kCount; ++i) {
    if (allowed != nullptr && !allowed->contains(i)) continue;
    double sum = 0;
    for (size_t j = 0; j < kDimension; ++j) sum += double{query[j]} * Row(Rows(), i)[j];
    scored.emplace_back(-sum, i);
  }
  std::sort(scored.begin(), scored.end());
  std::vector<uint32_t> best;
  for (size_t i = 0; i < std::min(k, scored.size()); ++i) best.push_back(scored[i].second);
  return best;
}

RecordSet EveryNth(uint32_t n) {
  RecordSet set(kCount);
  for (uint32_t i = 0; i < kCount; i += n) set.Insert(i);
  return set;
}

template <typename Maker>
class VectorIndexContractTest : public ::testing::Test {
 protected:
  static const VectorIndex& index() {
    static const IndexPointer made = Maker::Make(Rows());
    return *made;
  }

  /// Share of the true best that the index found, over several queries.
  static double Recall(size_t k, const RecordSet* allowed) {
    const std::vector<float> queries = testing::ClusteredVectors(50, kDimension, 40, 2);
    size_t found = 0;
    size_t wanted = 0;
    for (size_t q = 0; q < 50; ++q) {
      const auto truth = TrueBest(Row(queries, q), k, allowed);
      const auto got = index().Search(Row(queries, q), k, allowed);
      std::set<uint32_t> records;
      for (const ScoredRecord& hit : got->best) records.insert(hit.record);
      for (const uint32_t record : truth) found += records.count(record);
      wanted += truth.size();
    }
    return static_cast<double>(found) / static_cast<double>(wanted);
  }
};

using Makers = ::testing::Types<MakeFlat, MakeFlatWithSigns, MakeLists, MakeGraph>;
TYPED_TEST_SUITE(VectorIndexContractTest, Makers);

TYPED_TEST(VectorIndexContractTest, GivesBackItsVectors) {
  ASSERT_EQ(this->index().size(), kCount);
  ASSERT_EQ(this->index().dimension(), kDimension);
  for (uint32_t i = 0; i < kCount; i += 37) {
    std::vector<float> vector(kDimension);
    this->index().rows().DecodeInto(i, vector);
    for (size_t j = 0; j < kDimension; ++j) EXPECT_NEAR(vector[j], Row(Rows(), i)[j], 2e-5) << i;
  }
}

TYPED_TEST(VectorIndexContractTest, FindsTheNearest) {
  EXPECT_GE(this->Recall(10, nullptr), 0.95);
  EXPECT_GE(this->Recall(200, nullptr), 0.95);
}

TYPED_TEST(VectorIndexContractTest, FindsTheNearestOfWhatAFilterKeeps) {
  for (const uint32_t n : {2u, 5u, 9u}) {
    const RecordSet allowed = EveryNth(n);
    EXPECT_GE(this->Recall(10, &allowed), 0.95) << "one in " << n;
  }
}

TYPED_TEST(VectorIndexContractTest, IsExactWhereAFilterKeepsLittle) {
  for (const uint32_t n : {11u, 100u, 1000u}) {
    const RecordSet allowed = EveryNth(n);
    const auto got = this->index().Search(Row(Rows(), 5), 10, &allowed);
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got->path, VectorPath::kScan);
    std::vector<uint32_t> records;
    for (const ScoredRecord& hit : got->best) records.push_back(hit.record);
    EXPECT_EQ(records, TrueBest(Row(Rows(), 5), 10, &allowed)) << "one in " << n;
  }
}

TYPED_TEST(VectorIndexContractTest, GivesAsManyAsThereAre) {
  EXPECT_EQ(this->index().Search(Row(Rows(), 0), kCount + 10, nullptr)->best.size(), kCount);
  EXPECT_EQ(this->index().Search(Row(Rows(), 0), 0, nullptr)->best.size(), 0u);
  const RecordSet third = EveryNth(3);
  EXPECT_EQ(this->index().Search(Row(Rows(), 0), kCount, &third)->best.size(), third.count());
  const RecordSet none(kCount);
  EXPECT_EQ(this->index().Search(Row(Rows(), 0), 10, &none)->best.size(), 0u);
}

TYPED_TEST(VectorIndexContractTest, OrdersByScoreAndReturnsOnlyAllowed) {
  const RecordSet allowed = EveryNth(3);
  const auto got = this->index().Search(Row(Rows(), 7), 50, &allowed);
  ASSERT_TRUE(got.ok());
  EXPECT_TRUE(std::is_sorted(got->best.begin(), got->best.end(), RanksBefore));
  for (const ScoredRecord& hit : got->best) {
    EXPECT_TRUE(allowed.contains(hit.record));
    const float want =
        DotProductReference(Row(Rows(), 7).data(), Row(Rows(), hit.record).data(), kDimension);
    EXPECT_NEAR(hit.score, want, 5e-5);  // half a fine step of 48 numbers, on both sides
  }
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

}  // namespace
}  // namespace emptor::retrieval
