// The plane of signs: its kernel, what it passes, and the scan that rests on it.
#include "retrieval/vector/bit_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "retrieval/vector/int8_dot.h"
#include "retrieval/vector/vector_index.h"
#include "tests/retrieval/support/shop.h"

namespace emptor::retrieval {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

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
      const bool extreme = round == 0;  // every sum the greatest that there is
      for (uint8_t& code : codes) code = static_cast<uint8_t>(random());
      for (uint8_t& step : tables) step = extreme ? 255 : static_cast<uint8_t>(random());
      for (float& factor : factors) factor = static_cast<float>(random() % 1000) * 1e-3f;
      const float middle = static_cast<float>(groups) * 127.5f * 0.01f;
      const BitCodeQuery query{.tables = tables.data(),
                               .groups = groups,
                               .step = 0.01f,
                               .offset = -middle,
                               .least = extreme ? middle / 2 : 0.1f};
      const uint32_t want = BitCodeBlockReference(codes.data(), query, factors.data());
      EXPECT_EQ(BitCodeBlockAvx2(codes.data(), query, factors.data()), want) << groups;
    }
  }
}

/// Of the rows that score as the `k`-th nearest or more, the share that passes; and how many of all
/// do. For 40 queries.
struct Passed {
  double near = 0, all = 0;
};
Passed WhatPasses(const std::vector<float>& values, int dimension, size_t k) {
  const QuantizedRows rows = RowsOf(values, dimension);
  const BitCodes signs(rows);
  const auto queries = testing::ClusteredVectors(40, static_cast<size_t>(dimension), 30, 2);
  size_t near = 0, near_passed = 0, passed = 0;
  for (size_t q = 0; q < 40; ++q) {
    const auto query = Row(queries, q, dimension);
    const auto prepared = signs.Prepare(query);
    const auto best = ScanExactly(rows, query, k, nullptr);
    const float least = best.back().score;
    for (size_t block = 0; block * kBlockRows < rows.size(); ++block) {
      passed += static_cast<size_t>(std::popcount(signs.MayReach(prepared, block, least)));
    }
    for (const ScoredRecord& each : best) {
      const uint32_t bits = signs.MayReach(prepared, each.record / kBlockRows, least);
      near_passed += bits >> (each.record % kBlockRows) & 1;
      ++near;
    }
  }
  return {static_cast<double>(near_passed) / static_cast<double>(near),
          static_cast<double>(passed) / static_cast<double>(40 * rows.size())};
}

TEST(BitCodesTest, PassesTheNearAndFewOthers) {
  for (const int dimension : {48, 100, 256, 384}) {
    const auto values = testing::ClusteredVectors(6400, static_cast<size_t>(dimension), 30, 1);
    const Passed passed = WhatPasses(values, dimension, 20);
    EXPECT_GE(passed.near, 0.98) << dimension;
    EXPECT_LE(passed.all, 0.15) << dimension;
  }
}

// As models of language have them: a few numbers are large in every row, and say nothing.
TEST(BitCodesTest, NumbersThatAreLargeEverywhereDoNotDrownTheOthers) {
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

TEST(BitCodesTest, WithoutABarEveryRowPasses) {
  for (const int dimension : {1, 3, 8, 33}) {
    const auto values = testing::ClusteredVectors(70, static_cast<size_t>(dimension), 5, 3);
    const BitCodes signs(RowsOf(values, dimension));
    const auto query = signs.Prepare(Row(values, 4, dimension));
    EXPECT_EQ(signs.MayReach(query, 0, kNothing), ~uint32_t{0});
    EXPECT_EQ(signs.MayReach(query, 2, kNothing) & 63, 63u);
  }
}

TEST(BitCodesTest, RowsAtTheMeanAndOverlongRowsAreNotLost) {
  constexpr int kDimension = 16;
  std::vector<float> values(40 * kDimension, 0.25f);
  std::fill_n(values.begin() + 35 * kDimension, kDimension, 3e38f);
  const QuantizedRows rows = RowsOf(values, kDimension);
  const BitCodes signs(rows);
  const std::vector<float> query(kDimension, 0.25f);
  const auto found = ScanBitCodes(rows, signs, query, 1, nullptr);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].record, 35u);
  EXPECT_EQ(ScanBitCodes(rows, signs, query, 50, nullptr).size(), 40u);

  const std::vector<float> same(500 * kDimension, 0.25f);
  const QuantizedRows equal = RowsOf(same, kDimension);
  const auto first = ScanBitCodes(equal, BitCodes(equal), query, 10, nullptr);
  ASSERT_EQ(first.size(), 10u);
  for (uint32_t i = 0; i < 10; ++i) EXPECT_EQ(first[i].record, i);
}

/// Share of the exact scan's answers that the scan by signs finds; never one that is not allowed,
/// never fewer.
double RecallOfBitCodes(const QuantizedRows& rows, const std::vector<float>& queries, size_t k,
                        const RecordSet* allowed) {
  const BitCodes signs(rows);
  size_t found = 0, wanted = 0;
  for (size_t q = 0; q < 40; ++q) {
    const auto query = Row(queries, q, rows.dimension());
    const auto want = ScanExactly(rows, query, k, allowed);
    const auto got = ScanBitCodes(rows, signs, query, k, allowed);
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

TEST(BitCodesTest, TheScanOfBitCodesFindsWhatTheExactScanFinds) {
  constexpr int kDimension = 64;
  constexpr size_t kCount = 9000;
  const auto values = testing::ClusteredVectors(kCount, kDimension, 30, 1);
  const auto queries = testing::ClusteredVectors(40, kDimension, 30, 2);
  const QuantizedRows in_order = RowsOf(values, kDimension);
  QuantizedRows arranged = in_order;
  std::vector<uint32_t> order(kCount);
  for (uint32_t i = 0; i < kCount; ++i) order[i] = i * 1237 % kCount;
  arranged.Arrange(order);
  for (const QuantizedRows* rows : {&in_order, static_cast<const QuantizedRows*>(&arranged)}) {
    EXPECT_GE(RecallOfBitCodes(*rows, queries, 10, nullptr), 0.99);
    EXPECT_GE(RecallOfBitCodes(*rows, queries, 200, nullptr), 0.98);
    for (const uint32_t one_in : {2u, 10u, 100u, 1000u}) {
      RecordSet allowed(kCount);
      for (uint32_t i = one_in / 2; i < kCount; i += one_in) allowed.Insert(i);
      EXPECT_GE(RecallOfBitCodes(*rows, queries, 10, &allowed), 0.99) << "one in " << one_in;
    }
  }
}

}  // namespace
}  // namespace emptor::retrieval
