#include "engine/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "engine/sampling/rng.h"
#include "gtest/gtest.h"
#include "tests/support/guarded_bytes.h"

namespace emptor::engine {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(SamplerTest, GreedyTakesTheLargestAndTheLowerIdOfATie) {
  Sampler sampler(SamplerOptions{});
  EXPECT_EQ(sampler.Sample(std::vector<float>{1, 3, 2, 3}, 0), 1);
}

TEST(SamplerTest, NaNAndInfinityAreNeverChosen) {
  for (const float temperature : {0.0f, 1.0f}) {
    Sampler sampler(SamplerOptions{.temperature = temperature});
    EXPECT_EQ(sampler.Sample(std::vector<float>{kNan, INFINITY, -5, -INFINITY}, 0), 2);
    EXPECT_EQ(sampler.Sample(std::vector<float>{kNan, kNan}, 0), std::nullopt);
  }
}

TEST(SamplerTest, FrequenciesFollowTheSoftmax) {
  Sampler sampler(SamplerOptions{.temperature = 2, .seed = 5});
  const std::vector<float> logits = {0, 2 * std::log(2.0f), 2 * std::log(5.0f)};
  std::vector<int> counts(3);
  constexpr int kDraws = 80000;
  for (uint64_t i = 0; i < kDraws; ++i) ++counts[static_cast<size_t>(*sampler.Sample(logits, i))];
  // Shares 1/8, 2/8, 5/8; five standard deviations of a binomial are below 0.009.
  EXPECT_NEAR(counts[0] / double{kDraws}, 0.125, 0.009);
  EXPECT_NEAR(counts[1] / double{kDraws}, 0.25, 0.009);
  EXPECT_NEAR(counts[2] / double{kDraws}, 0.625, 0.009);
}

TEST(SamplerTest, DrawsTheTokenAtTheShareOfTheRunningSum) {
  Sampler sampler(SamplerOptions{.temperature = 1, .seed = 3});
  const std::vector<float> logits(4000, 2.5f);
  for (uint64_t i = 0; i < 300; ++i) {
    EXPECT_EQ(sampler.Sample(logits, i), static_cast<int32_t>(RandomUnit(3, i) * 4000));
  }
}

std::set<int32_t> Seen(const SamplerOptions& options, const std::vector<float>& logits) {
  Sampler sampler(options);
  std::set<int32_t> seen;
  for (uint64_t i = 0; i < 2000; ++i) seen.insert(*sampler.Sample(logits, i));
  return seen;
}

TEST(SamplerTest, TopKKeepsTheKBest) {
  const std::vector<float> logits = {1, 1.1f, 0.9f, 1.2f, 1};
  EXPECT_EQ(Seen({.temperature = 1, .top_k = 2}, logits), (std::set<int32_t>{1, 3}));
  EXPECT_EQ(Seen({.temperature = 1, .top_k = 3}, logits), (std::set<int32_t>{0, 1, 3}));
}

TEST(SamplerTest, TopPKeepsTheFewestThatReachIt) {
  const std::vector<float> logits = {std::log(0.5f), std::log(0.3f), std::log(0.15f),
                                     std::log(0.05f)};
  EXPECT_EQ(Seen({.temperature = 1, .top_p = 0.45f}, logits), (std::set<int32_t>{0}));
  EXPECT_EQ(Seen({.temperature = 1, .top_p = 0.75f}, logits), (std::set<int32_t>{0, 1}));
  EXPECT_EQ(Seen({.temperature = 1, .top_p = 1}, logits), (std::set<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(Seen({.temperature = 1, .top_p = 0.5f}, {0, 0}), (std::set<int32_t>{0}));
}

TEST(SamplerTest, MinPKeepsWhatIsNearTheLikeliest) {
  const std::vector<float> logits = {std::log(0.6f), std::log(0.25f), std::log(0.1f),
                                     std::log(0.05f)};
  EXPECT_EQ(Seen({.temperature = 1, .min_p = 0.3f}, logits), (std::set<int32_t>{0, 1}));
  EXPECT_EQ(Seen({.temperature = 1, .min_p = 1}, logits), (std::set<int32_t>{0}));
  // Top-p counts what min-p has left: 0.6 of 0.95.
  EXPECT_EQ(Seen({.temperature = 1, .top_p = 0.63f, .min_p = 0.15f}, logits),
            (std::set<int32_t>{0}));
}

/// What the sampler keeps, by sorting.
std::set<int32_t> KeptBySorting(const SamplerOptions& options, const std::vector<float>& logits) {
  std::vector<Candidate> all;
  for (size_t i = 0; i < logits.size(); ++i) all.push_back({logits[i], static_cast<int32_t>(i)});
  std::sort(all.begin(), all.end(), IsBetter);
  const float floor = all[0].logit + options.temperature * std::log(options.min_p);
  std::erase_if(all, [&](const Candidate& c) { return c.logit < floor; });
  if (options.top_k > 0) all.resize(std::min(all.size(), static_cast<size_t>(options.top_k)));
  const auto weight = [&](const Candidate& c) {
    return std::exp(static_cast<double>((c.logit - all[0].logit) / options.temperature));
  };
  double total = 0, sum = 0;
  for (const Candidate& c : all) total += weight(c);
  std::set<int32_t> kept;
  for (const Candidate& c : all) {
    if (sum >= static_cast<double>(options.top_p) * total) break;
    sum += weight(c);
    kept.insert(c.token);
  }
  return kept;
}

TEST(SamplerTest, SelectingKeepsWhatSortingKeeps) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    std::normal_distribution<float> normal(0, 1 + static_cast<float>(round % 4));
    std::vector<float> logits(3000);
    for (float& logit : logits) logit = normal(random);
    const SamplerOptions options{.temperature = 0.5f + static_cast<float>(round % 3),
                                 .top_k = std::vector<int>{0, 1, 40, 2000}[round % 4u],
                                 .top_p = std::vector<float>{0.2f, 0.9f, 1}[round % 3u],
                                 .min_p = std::vector<float>{1e-9f, 0.01f}[round % 2u],
                                 .seed = static_cast<uint64_t>(round)};
    const std::set<int32_t> kept = KeptBySorting(options, logits);
    Sampler sampler(options);
    for (uint64_t i = 0; i < 200; ++i) {
      ASSERT_TRUE(kept.contains(*sampler.Sample(logits, i))) << round;
    }
  }
}

// Sum of (seen - expected)^2 / expected over 20 tokens: above 60 less than once in 100,000 tests.
TEST(SamplerTest, ChiSquareOfManyDrawsIsSmall) {
  std::mt19937_64 random(8);
  std::normal_distribution<float> normal(0, 1);
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<float> logits(20);
    for (float& logit : logits) logit = normal(random);
    Sampler sampler({.temperature = 1.5f, .seed = seed});
    constexpr int kDraws = 40000;
    std::vector<int> counts(20);
    for (uint64_t i = 0; i < kDraws; ++i) ++counts[static_cast<size_t>(*sampler.Sample(logits, i))];
    double total = 0, chi = 0;
    for (const float logit : logits) total += std::exp(static_cast<double>(logit) / 1.5);
    for (size_t i = 0; i < 20; ++i) {
      const double expected = kDraws * std::exp(static_cast<double>(logits[i]) / 1.5) / total;
      chi += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    EXPECT_LT(chi, 60);
  }
}

// Sums in float lose 2e-6 of such a row, the sums of top-p do not: a draw from the very end passes
// all weights.
TEST(SamplerTest, WhereRoundingLosesTheEndOfTheSumTheLastKeptTokenIsDrawn) {
  constexpr uint64_t kNearOne = 267054;  // of the stream with seed 0
  ASSERT_GT(RandomUnit(0, kNearOne), 1 - 1e-6);
  std::vector<float> logits(2000, -INFINITY);
  std::fill(logits.begin() + 16, logits.begin() + 1024, -17.4f);
  logits[16] = 0;
  logits[1500] = -17;
  Sampler sampler({.temperature = 1, .top_p = 0.9999995f, .seed = 0});
  EXPECT_EQ(sampler.Sample(logits, kNearOne), 1500);
}

TEST(LogitMathTest, ExpIsCloseAndNaNWeighsNothing) {
  std::vector<float> logits;
  for (int i = 0; i <= 8700; ++i) logits.push_back(static_cast<float>(-i) / 100);
  logits.insert(logits.end(), {kNan, INFINITY, -INFINITY, -200});
  std::vector<float> weights(logits.size());
  const double sum = ExpInto(logits, 0, 1, weights);
  double expected = 0;
  for (size_t i = 0; i <= 8700; ++i) {
    const double exact = std::exp(static_cast<double>(logits[i]));
    EXPECT_NEAR(weights[i], exact, exact * 5e-7) << logits[i];
    expected += exact;
  }
  for (size_t i = 8701; i < weights.size(); ++i) EXPECT_EQ(weights[i], 0);
  EXPECT_NEAR(sum, expected, expected * 1e-5);
}

TEST(LogitMathTest, BestTokensAreThoseOfASort) {
  std::mt19937_64 random(2);
  std::vector<float> logits(500);
  for (float& logit : logits) logit = static_cast<float>(random() % 40);
  logits[3] = kNan;
  logits[4] = INFINITY;
  std::vector<Candidate> all;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isfinite(logits[i])) all.push_back({logits[i], static_cast<int32_t>(i)});
  }
  std::sort(all.begin(), all.end(), IsBetter);
  const std::vector<Candidate> best = BestTokens(logits, 50);
  ASSERT_EQ(best.size(), 50u);
  for (size_t i = 0; i < 50; ++i) EXPECT_EQ(best[i].token, all[i].token);
}

TEST(LogitMathTest, TheLargestFloatIsFinite) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const std::vector<Candidate> best = BestTokens(std::vector<float>{1, kLargest, INFINITY}, 3);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].token, 1);
}

TEST(LogitMathTest, ReadsNothingBehindTheRow) {
  for (const size_t size : {16u, 17u, 48u}) {
    const testing::GuardedBytes bytes(size * sizeof(float));
    const std::span<float> row(reinterpret_cast<float*>(bytes.data()), size);
    row.back() = 1;
    EXPECT_EQ(LargestFinite(row), 1);
    EXPECT_EQ(BestTokens(row, 2)[0].token, static_cast<int32_t>(size - 1));
    EXPECT_EQ(SumOf(row), 1);
  }
}

TEST(SamplerTest, SameSeedAndIndexGiveTheSameTokenInAnyOrder) {
  const std::vector<float> logits(50, 1.0f);
  Sampler forward(SamplerOptions{.temperature = 1, .seed = 7});
  Sampler backward(SamplerOptions{.temperature = 1, .seed = 7});
  std::vector<int32_t> first, second(20);
  for (uint64_t i = 0; i < 20; ++i) first.push_back(*forward.Sample(logits, i));
  for (uint64_t i = 20; i-- > 0;) second[i] = *backward.Sample(logits, i);
  EXPECT_EQ(first, second);
  EXPECT_GT(std::set<int32_t>(first.begin(), first.end()).size(), 10u);
}

TEST(RngTest, UnitIsEvenlySpread) {
  std::vector<int> buckets(16);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    for (uint64_t i = 0; i < 1000; ++i) ++buckets[static_cast<size_t>(RandomUnit(seed, i) * 16)];
  }
  for (const int count : buckets) EXPECT_NEAR(count, 6250, 400);
}

TEST(SamplerTest, WhereTheLastTokensWeighNothingTheEndOfTheSumIsStillAKeptToken) {
  std::vector<float> logits(2000, -INFINITY);
  std::fill(logits.begin() + 16, logits.begin() + 1024, -17.4f);
  logits[0] = kNan;
  logits[16] = 0;
  Sampler sampler({.temperature = 1, .top_p = 0.9999995f, .seed = 0});
  const auto token = sampler.Sample(logits, 267054);  // a draw of 1 - 9e-8
  ASSERT_TRUE(token.has_value());
  EXPECT_GE(*token, 16);
  EXPECT_LT(*token, 1024);
}

}  // namespace
}  // namespace emptor::engine
