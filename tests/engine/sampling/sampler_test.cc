#include "engine/sampling/sampler.h"

#include <cmath>
#include <limits>
#include <set>

#include "engine/sampling/rng.h"
#include "gtest/gtest.h"

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

}  // namespace
}  // namespace emptor::engine
