// 1-bit codes: the block kernel, which rows they select, and the scan that uses them.
#include "retrieval/vector/bit_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "retrieval/vector/int8_dot.h"
#include "retrieval/vector/row_scan.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

constexpr float kNoBar = -std::numeric_limits<float>::infinity();

QuantizedRows RowsOf(const std::vector<float>& values, int dimension) {
  QuantizedRows rows(dimension);
  const auto width = static_cast<size_t>(dimension);
  for (size_t i = 0; i < values.size(); i += width) rows.Add(std::span(values).subspan(i, width));
  return rows;
}

std::span<const float> Row(const std::vector<float>& values, size_t i, int dimension) {
  const auto width = static_cast<size_t>(dimension);
  return std::span(values).subspan(i * width, width);
}

TEST(BitCodeBlockTest, VariantsAgreeWithTheReference) {
  if (!HasInt8DotAvx2()) GTEST_SKIP() << "this processor has no AVX2";
  std::mt19937 random(1);
  for (const size_t groups : {2u, 12u, 64u, 96u, 256u}) {
    std::vector<uint8_t> codes(groups * 16), tables(groups * 16);
    std::vector<float> factors(kBlockRows);
    for (int round = 0; round < 50; ++round) {
      const bool extreme = round == 0;  // every sum is the largest possible
      for (uint8_t& code : codes) code = static_cast<uint8_t>(random());
      for (uint8_t& step : tables) step = extreme ? 255 : static_cast<uint8_t>(random());
      for (float& factor : factors) factor = static_cast<float>(random() % 1000) * 1e-3f;
      const float middle = static_cast<float>(groups) * 127.5f * 0.01f;
      const BitCodeQuery query{.tables = tables.data(),
                               .groups = groups,
                               .step = 0.01f,
                               .offset = -middle,
                               .min_score = extreme ? middle / 2 : 0.1f};
      const uint32_t want = BitCodeBlockReference(codes.data(), query, factors.data());
      EXPECT_EQ(BitCodeBlockAvx2(codes.data(), query, factors.data()), want) << groups;
    }
  }
}

/// Of 40 queries: the share of the `k` nearest rows that the codes select at the score of the k-th,
/// and the share of all rows.
struct Passed {
  double near = 0, all = 0;
};
Passed WhatPasses(const std::vector<float>& values, int dimension, size_t k) {
  const QuantizedRows rows = RowsOf(values, dimension);
  const BitCodes codes(rows);
  const auto queries = testing::ClusteredVectors(40, static_cast<size_t>(dimension), 30, 2);
  size_t near = 0, near_passed = 0, passed = 0;
  for (size_t q = 0; q < 40; ++q) {
    const auto query = Row(queries, q, dimension);
    const auto prepared = codes.Prepare(query);
    const auto best = ScanExactly(rows, query, k, nullptr);
    const float least = best.back().score;
    for (size_t block = 0; block * kBlockRows < rows.size(); ++block) {
      passed += static_cast<size_t>(std::popcount(codes.MayReach(prepared, block, least)));
    }
    for (const ScoredRecord& each : best) {
      const uint32_t bits = codes.MayReach(prepared, each.record / kBlockRows, least);
      near_passed += bits >> (each.record % kBlockRows) & 1;
      ++near;
    }
  }
  return {static_cast<double>(near_passed) / static_cast<double>(near),
          static_cast<double>(passed) / static_cast<double>(40 * rows.size())};
}

TEST(BitCodesTest, SelectsTheNearestRowsAndFewOthers) {
  for (const int dimension : {48, 100, 256, 384}) {
    const auto values = testing::ClusteredVectors(6400, static_cast<size_t>(dimension), 30, 1);
    const Passed passed = WhatPasses(values, dimension, 20);
    EXPECT_GE(passed.near, 0.98) << dimension;
    EXPECT_LE(passed.all, 0.15) << dimension;
  }
}

// Embeddings of language models have a few values that are large in every row and say nothing.
TEST(BitCodesTest, ValuesThatAreLargeInEveryRowDoNotHideTheOthers) {
  constexpr int kDimension = 256;
  auto values = testing::ClusteredVectors(6400, kDimension, 30, 1);
  for (size_t i = 0; i < values.size(); i += kDimension) {
    values[i + 7] += 3.0f;
    values[i + 90] -= 2.0f;
  }
  const Passed passed = WhatPasses(values, kDimension, 20);
  EXPECT_GE(passed.near, 0.98);
  EXPECT_LE(passed.all, 0.25);
}

TEST(BitCodesTest, WithoutABarEveryRowIsSelected) {
  for (const int dimension : {1, 3, 8, 33}) {
    const auto values = testing::ClusteredVectors(70, static_cast<size_t>(dimension), 5, 3);
    const BitCodes codes(RowsOf(values, dimension));
    const auto query = codes.Prepare(Row(values, 4, dimension));
    EXPECT_EQ(codes.MayReach(query, 0, kNoBar), ~uint32_t{0});
    EXPECT_EQ(codes.MayReach(query, 2, kNoBar) & 63, 63u);
  }
}

TEST(BitCodesTest, RowsAtTheCentreAndVeryLongRowsAreFound) {
  constexpr int kDimension = 16;
  std::vector<float> values(40 * kDimension, 0.25f);
  std::fill_n(values.begin() + 35 * kDimension, kDimension, 3e38f);
  const QuantizedRows rows = RowsOf(values, kDimension);
  const BitCodes codes(rows);
  const std::vector<float> query(kDimension, 0.25f);
  const auto found = ScanBitCodes(rows, codes, query, 1, nullptr);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].record, 35u);
  EXPECT_EQ(ScanBitCodes(rows, codes, query, 50, nullptr).size(), 40u);

  const std::vector<float> same(500 * kDimension, 0.25f);
  const QuantizedRows equal = RowsOf(same, kDimension);
  const auto first = ScanBitCodes(equal, BitCodes(equal), query, 10, nullptr);
  ASSERT_EQ(first.size(), 10u);
  for (uint32_t i = 0; i < 10; ++i) EXPECT_EQ(first[i].record, i);
}

/// Share of the exact scan's results that the scan of codes returns. It returns as many, and only
/// allowed ones.
double RecallOfBitCodes(const QuantizedRows& rows, const std::vector<float>& queries, size_t k,
                        const RecordSet* allowed) {
  const BitCodes codes(rows);
  size_t found = 0, wanted = 0;
  for (size_t q = 0; q < 40; ++q) {
    const auto query = Row(queries, q, rows.dimension());
    const auto want = ScanExactly(rows, query, k, allowed);
    const auto got = ScanBitCodes(rows, codes, query, k, allowed);
    EXPECT_EQ(got.size(), want.size());
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end(), RanksBefore));
    for (const ScoredRecord& each : got) {
      EXPECT_TRUE(allowed == nullptr || allowed->contains(each.record));
      found += each.score >= want.back().score;
    }
    wanted += want.size();
  }
  return static_cast<double>(found) / static_cast<double>(wanted);
}

TEST(BitCodesTest, TheirScanFindsWhatTheExactScanFinds) {
  constexpr int kDimension = 64;
  constexpr size_t kCount = 9000;
  const auto values = testing::ClusteredVectors(kCount, kDimension, 30, 1);
  const auto queries = testing::ClusteredVectors(40, kDimension, 30, 2);
  const QuantizedRows rows = RowsOf(values, kDimension);
  EXPECT_GE(RecallOfBitCodes(rows, queries, 10, nullptr), 0.99);
  EXPECT_GE(RecallOfBitCodes(rows, queries, 200, nullptr), 0.98);
  for (const uint32_t one_in : {2u, 10u, 100u, 1000u}) {
    RecordSet allowed(kCount);
    for (uint32_t i = one_in / 2; i < kCount; i += one_in) allowed.Insert(i);
    EXPECT_GE(RecallOfBitCodes(rows, queries, 10, &allowed), 0.99) << "one in " << one_in;
  }
}

TEST(BitCodesTest, AppendedRowsAreSelectedAroundTheOldCentre) {
  constexpr int kDimension = 64;
  const auto values = testing::ClusteredVectors(9000, kDimension, 30, 1);
  QuantizedRows rows = RowsOf({values.begin(), values.begin() + 6007 * kDimension}, kDimension);
  BitCodes codes(rows);
  for (size_t i = 6007; i < 9000; ++i) rows.Add(Row(values, i, kDimension));
  codes.Extend(rows);
  EXPECT_EQ(codes.centred_rows(), 6007u);
  const auto queries = testing::ClusteredVectors(40, kDimension, 30, 2);
  size_t found = 0;
  for (size_t q = 0; q < 40; ++q) {
    const auto query = Row(queries, q, kDimension);
    const auto want = ScanExactly(rows, query, 10, nullptr);
    for (const ScoredRecord& each : ScanBitCodes(rows, codes, query, 10, nullptr)) {
      found += each.score >= want.back().score;
    }
  }
  EXPECT_GE(found, 396u);
}

}  // namespace
}  // namespace emptor::retrieval
