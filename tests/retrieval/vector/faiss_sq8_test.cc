// Our products of 8-bit codes against FAISS' own.
#include "retrieval/vector/faiss_sq8.h"

#include <faiss/IndexFlat.h>
#include <faiss/impl/DistanceComputer.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <span>
#include <vector>

#include "retrieval/vector/sq8_dot.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

constexpr int kDimension = 100;
constexpr faiss_id kCount = 2000;
constexpr faiss_id kQueries = 20;
constexpr float kTolerance = 1e-4f;  // of products of unit vectors

const std::vector<float>& Values() {
  static const auto values = testing::ClusteredVectors(kCount, kDimension, 20, 1);
  return values;
}
const std::vector<float>& Queries() {
  static const auto queries = testing::ClusteredVectors(kQueries, kDimension, 20, 2);
  return queries;
}

void Fill(faiss::Index& index) {
  index.train(kCount, Values().data());
  index.add(kCount, Values().data());
}

struct Found {
  std::vector<float> scores;
  std::vector<faiss_id> ids;
};
Found Search(const faiss::Index& index, const faiss::SearchParameters* params = nullptr) {
  constexpr faiss_id kBest = 50;
  Found found;
  found.scores.resize(kQueries * kBest);
  found.ids.resize(kQueries * kBest);
  index.search(kQueries, Queries().data(), kBest, found.scores.data(), found.ids.data(), params);
  return found;
}

/// Scores agree place by place. Ids may differ where two scores lie within the tolerance.
void ExpectAlike(const Found& got, const Found& want) {
  size_t same = 0;
  for (size_t i = 0; i < want.ids.size(); ++i) {
    EXPECT_NEAR(got.scores[i], want.scores[i], kTolerance) << i;
    same += got.ids[i] == want.ids[i];
  }
  EXPECT_GE(same, want.ids.size() * 9 / 10);
}

TEST(FaissSq8Test, ExhaustiveSearchScoresAsFaissDoes) {
  faiss::IndexScalarQuantizer theirs(kDimension, faiss::ScalarQuantizer::QT_8bit,
                                     faiss::METRIC_INNER_PRODUCT);
  Sq8Index ours(kDimension);
  Fill(theirs);
  Fill(ours);
  EXPECT_EQ(ours.codes, theirs.codes);
  ExpectAlike(Search(ours), Search(theirs));
}

TEST(FaissSq8Test, InvertedListsScoreAsFaissDoes) {
  constexpr size_t kLists = 16;
  auto centres = std::make_unique<faiss::IndexFlatIP>(kDimension);
  faiss::IndexIVFScalarQuantizer theirs(centres.get(), kDimension, kLists,
                                        faiss::ScalarQuantizer::QT_8bit,
                                        faiss::METRIC_INNER_PRODUCT);
  IvfSq8Index ours(new faiss::IndexFlatIP(kDimension), kDimension, kLists);
  Fill(theirs);
  Fill(ours);
  faiss::SearchParametersIVF params;
  params.nprobe = 5;
  ExpectAlike(Search(ours, &params), Search(theirs, &params));
}

TEST(FaissSq8Test, Avx2ProductAgreesWithTheReference) {
  if (!HasSq8DotAvx2()) GTEST_SKIP() << "this processor has no AVX2 and FMA";
  std::mt19937 random(3);
  for (const size_t n : {1u, 7u, 8u, 16u, 23u, 100u, 256u}) {
    std::vector<uint8_t> a(n), b(n);
    std::vector<float> low(n), step(n);
    for (size_t j = 0; j < n; ++j) {
      a[j] = static_cast<uint8_t>(random());
      b[j] = static_cast<uint8_t>(random());
      low[j] = -static_cast<float>(random() % 1000) * 1e-3f;
      step[j] = static_cast<float>(random() % 1000) * 1e-5f;
    }
    const float want = Sq8DotReference(a.data(), b.data(), low.data(), step.data(), n);
    const float got = Sq8DotAvx2(a.data(), b.data(), low.data(), step.data(), n);
    EXPECT_NEAR(got, want, static_cast<float>(n) * 1e-5f) << n;
  }
}

TEST(FaissSq8Test, RandomAccessScoresAsFaissDoes) {
  Sq8Index index(kDimension);
  Fill(index);
  const std::unique_ptr<faiss::DistanceComputer> ours(index.get_distance_computer());
  const std::unique_ptr<faiss::DistanceComputer> theirs(
      index.faiss::IndexScalarQuantizer::get_FlatCodesDistanceComputer());
  ours->set_query(Queries().data());
  theirs->set_query(Queries().data());
  for (faiss_id i = 0; i < kCount; i += 7) {
    EXPECT_NEAR((*ours)(i), (*theirs)(i), kTolerance) << i;
    EXPECT_NEAR(ours->symmetric_dis(i, i / 2), theirs->symmetric_dis(i, i / 2), kTolerance) << i;
  }
}

}  // namespace
}  // namespace emptor::retrieval
