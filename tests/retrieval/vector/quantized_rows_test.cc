// What rounding to two planes loses, and that copying rows loses nothing.
#include "retrieval/vector/quantized_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "retrieval/vector/row_scan.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kDimension = 256;

std::span<const float> Row(const std::vector<float>& values, size_t i) {
  return std::span(values).subspan(i * kDimension, kDimension);
}

QuantizedRows Quantized(const std::vector<float>& values) {
  QuantizedRows rows(kDimension);
  for (size_t i = 0; i * kDimension < values.size(); ++i) rows.Add(Row(values, i));
  return rows;
}

TEST(QuantizedRowsTest, NumbersComeBackWithinHalfAFineStep) {
  const std::vector<float> values = testing::ClusteredVectors(50, kDimension, 10, 1);
  const QuantizedRows rows = Quantized(values);
  std::vector<float> back(kDimension);
  for (uint32_t i = 0; i < 50; ++i) {
    rows.DecodeInto(i, back);
    // The greatest number may round up past the last fine step: half of one more.
    const float step = rows.scale_at(i) / 256;
    for (size_t j = 0; j < kDimension; ++j) EXPECT_NEAR(back[j], Row(values, i)[j], 0.51f * step);
  }
}

TEST(QuantizedRowsTest, ScoresAreWithinTheirBounds) {
  const std::vector<float> values = testing::ClusteredVectors(200, kDimension, 10, 1);
  const std::vector<float> queries = testing::ClusteredVectors(20, kDimension, 10, 2);
  const QuantizedRows rows = Quantized(values);
  for (size_t q = 0; q < 20; ++q) {
    const QuantizedQuery query(Row(queries, q));
    std::vector<float> coarse(200);
    rows.ScoreCoarselyInto(query, 0, 200, coarse.data());
    for (uint32_t i = 0; i < 200; ++i) {
      double want = 0, weights = 0;
      for (size_t j = 0; j < kDimension; ++j) {
        want += double{Row(queries, q)[j]} * Row(values, i)[j];
        weights += std::abs(Row(queries, q)[j]) * rows.scale_at(i) / 2 +
                   std::abs(Row(values, i)[j]) * query.scale / 2 +
                   rows.scale_at(i) * query.scale / 4;
      }
      EXPECT_NEAR(coarse[i], want, weights);
      EXPECT_NEAR(rows.Score(query, i), want, weights / 250);
    }
  }
}

TEST(QuantizedRowsTest, ZerosAndExtremesAreRows) {
  QuantizedRows rows(4);
  rows.Add(std::vector<float>{0, 0, 0, 0});
  rows.Add(std::vector<float>{1, -1, 1, -1});
  rows.Add(std::vector<float>{1e-30f, 0, -1e-30f, 0});
  const QuantizedQuery query(std::vector<float>{1, -1, 0, 0});
  EXPECT_EQ(rows.Score(query, 0), 0);
  EXPECT_NEAR(rows.Score(query, 1), 2, 1e-4);
  EXPECT_NEAR(rows.Score(query, 2), 1e-30, 1e-33);
}

TEST(QuantizedRowsTest, CopiedRowsAreTheSame) {
  const std::vector<float> values = testing::ClusteredVectors(100, kDimension, 10, 1);
  const QuantizedRows rows = Quantized(values);
  QuantizedRows copy(kDimension);
  for (size_t i = 0; i < 100; ++i) copy.AddFrom(rows, i * 37 % 100);
  const QuantizedQuery query(Row(values, 3));
  for (size_t i = 0; i < 100; ++i) {
    const size_t from = i * 37 % 100;
    EXPECT_EQ(copy.Score(query, i), rows.Score(query, from));
    EXPECT_TRUE(std::equal(copy.fine_at(i), copy.fine_at(i) + kDimension, rows.fine_at(from)));
  }
}

/// Share of the f32 scan's best that the quantised scan finds.
double RecallOfScan(const QuantizedRows& rows, const std::vector<float>& values, size_t k,
                    const RecordSet* allowed) {
  const std::vector<float> queries = testing::ClusteredVectors(40, kDimension, 30, 2);
  size_t found = 0, wanted = 0;
  for (size_t q = 0; q < 40; ++q) {
    TopKQueue best(k);
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (allowed != nullptr && !allowed->contains(i)) continue;
      const double score = testing::InnerProduct(Row(queries, q), Row(values, i));
      best.Push({i, static_cast<float>(score)});
    }
    std::set<uint32_t> records;
    for (const ScoredRecord& hit : ScanExactly(rows, Row(queries, q), k, allowed)) {
      records.insert(hit.record);
    }
    for (const ScoredRecord& hit : best.TakeSorted()) {
      found += records.count(hit.record);
      ++wanted;
    }
  }
  return static_cast<double>(found) / static_cast<double>(wanted);
}

TEST(QuantizedRowsTest, ScanFindsWhatTheScanOfFloatsFinds) {
  constexpr size_t kCount = 4000;
  const std::vector<float> values = testing::ClusteredVectors(kCount, kDimension, 30, 1);
  const QuantizedRows rows = Quantized(values);
  for (const uint32_t one_in : {1u, 2u, 10u, 100u}) {
    RecordSet allowed(kCount);
    for (uint32_t i = 0; i < kCount; i += one_in) allowed.Insert(i);
    EXPECT_GE(RecallOfScan(rows, values, 10, &allowed), 0.99) << "one in " << one_in;
    EXPECT_GE(RecallOfScan(rows, values, 200, &allowed), 0.99) << "one in " << one_in;
  }
  EXPECT_GE(RecallOfScan(rows, values, 10, nullptr), 0.99);
}

}  // namespace
}  // namespace emptor::retrieval
