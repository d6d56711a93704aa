// RaBitQIndex as a faiss::Index: what the contract of all indexes does not cover.
#include "retrieval/vector/rabitq_index.h"

#include <faiss/IndexFlat.h>
#include <faiss/IndexIDMap.h>
#include <faiss/impl/AuxIndexStructures.h>
#include <faiss/impl/FaissException.h>
#include <faiss/impl/IDSelector.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

constexpr int kDimension = 64;
constexpr faiss_id kCount = 6000;

const std::vector<float>& Values() {
  static const auto values = testing::ClusteredVectors(kCount, kDimension, 30, 1);
  return values;
}
const float* Value(faiss_id i) { return &Values()[static_cast<size_t>(i * kDimension)]; }

std::vector<faiss_id> Nearest(const faiss::Index& index, const float* query, faiss_id k,
                              const faiss::SearchParameters* params = nullptr) {
  std::vector<float> scores(static_cast<size_t>(k));
  std::vector<faiss_id> ids(static_cast<size_t>(k));
  index.search(1, query, k, scores.data(), ids.data(), params);
  EXPECT_TRUE(std::is_sorted(scores.rbegin(), scores.rend()));
  return ids;
}

TEST(RaBitQIndexTest, RowsAddedInPiecesAreFoundAsThoseAddedAtOnce) {
  RaBitQIndex at_once(kDimension), in_pieces(kDimension);
  at_once.add(kCount, Values().data());
  for (faiss_id i = 0; i < kCount; i += 600) in_pieces.add(600, Value(i));
  size_t same = 0;
  for (faiss_id q = 0; q < 50; ++q) {
    const auto want = Nearest(at_once, Value(q * 100), 10);
    const auto got = Nearest(in_pieces, Value(q * 100), 10);
    EXPECT_EQ(got[0], q * 100);
    for (const faiss_id id : got) same += std::count(want.begin(), want.end(), id);
  }
  EXPECT_GE(same, 495u);
}

TEST(RaBitQIndexTest, RangeSearchFindsExactlyWhatScoresMore) {
  RaBitQIndex index(kDimension);
  faiss::IndexFlatIP oracle(kDimension);
  index.add(kCount, Values().data());
  oracle.add(kCount, Values().data());
  constexpr float kRadius = 0.6f;
  faiss::RangeSearchResult got(3), want(3);
  index.range_search(3, Value(10), kRadius, &got);
  oracle.range_search(3, Value(10), kRadius, &want);
  for (size_t q = 0; q < 3; ++q) {
    const std::set<faiss_id> found(got.labels + got.lims[q], got.labels + got.lims[q + 1]);
    size_t clear = 0;  // not so near the radius that rounding decides
    for (size_t i = want.lims[q]; i < want.lims[q + 1]; ++i) {
      if (want.distances[i] < kRadius + 1e-4f) continue;
      EXPECT_TRUE(found.contains(want.labels[i])) << want.labels[i];
      ++clear;
    }
    EXPECT_GT(clear, 50u);
    EXPECT_LE(found.size(), want.lims[q + 1] - want.lims[q] + 2);
  }
  faiss::IDSelectorRange selector(0, 100);
  faiss::SearchParameters params;
  params.sel = &selector;
  faiss::RangeSearchResult few(1);
  index.range_search(1, Value(10), -2.0f, &few, &params);
  EXPECT_EQ(few.lims[1], 100u);
}

TEST(RaBitQIndexTest, PadsAnswersThatAreShorterThanAsked) {
  RaBitQIndex index(kDimension);
  index.add(3, Values().data());
  std::vector<float> scores(5);
  std::vector<faiss_id> ids(5);
  index.search(1, Value(1), 5, scores.data(), ids.data());
  EXPECT_EQ(ids[0], 1);
  EXPECT_EQ(ids[3], -1);
  EXPECT_EQ(scores[4], std::numeric_limits<float>::lowest());
}

TEST(RaBitQIndexTest, TakesIdsOfTheCallerThroughAnIdMap) {
  RaBitQIndex index(kDimension);
  faiss::IndexIDMap map(&index);
  std::vector<faiss_id> ids(kCount);
  for (faiss_id i = 0; i < kCount; ++i) ids[static_cast<size_t>(i)] = 1000000 + 3 * i;
  map.add_with_ids(kCount, Values().data(), ids.data());
  EXPECT_EQ(Nearest(map, Value(77), 1), std::vector<faiss_id>{1000000 + 3 * 77});
}

TEST(RaBitQIndexTest, ThrowsForValuesThatAreNotFiniteAndForUnknownIds) {
  RaBitQIndex index(kDimension);
  index.add(2, Values().data());
  std::vector<float> bad(Value(0), Value(0) + kDimension);
  bad[5] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(index.add(1, bad.data()), faiss::FaissException);
  EXPECT_EQ(index.ntotal, 2);
  EXPECT_THROW(Nearest(index, bad.data(), 1), faiss::FaissException);
  std::vector<float> out(kDimension);
  EXPECT_THROW(index.reconstruct(2, out.data()), faiss::FaissException);
  EXPECT_THROW(index.reconstruct(-1, out.data()), faiss::FaissException);
}

}  // namespace
}  // namespace emptor::retrieval
