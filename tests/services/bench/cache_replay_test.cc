// Replays: the numbers repeat, and a policy that counts keeps what is asked for often.
#include "services/bench/cache_replay.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

ReplayOptions Options() {
  ReplayOptions options;
  for (size_t i = 0; i < 2000; ++i) options.entry_bytes.push_back(4000 + (i * 37) % 5000);
  options.requests = 40000;
  options.budget_share = 0.05;
  return options;
}

TEST(CacheReplayTest, EqualOptionsGiveEqualNumbersAndAnotherSeedOthers) {
  ReplayOptions options = Options();
  const auto a = ReplayPolicies({}, options), b = ReplayPolicies({}, options);
  ASSERT_EQ(a.size(), 4u);
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].hit_rate, b[i].hit_rate);
    EXPECT_GT(a[i].byte_hit_rate, 0);
  }
  options.seed = 2;
  EXPECT_NE(ReplayPolicies({}, options)[0].hit_rate, a[0].hit_rate);
}

TEST(CacheReplayTest, EverythingFitsIntoEnough) {
  ReplayOptions options = Options();
  options.budget_share = 1.2;
  for (const ReplayHits& each : ReplayPolicies({.name = "", .skew = 1.1}, options)) {
    EXPECT_GT(each.hit_rate, 0.95) << each.policy << ": all but the first request of each";
  }
}

TEST(CacheReplayTest, FrequencyBeatsRecencyOnASkewedStream) {
  const auto hits = ReplayPolicies({.name = "", .skew = 0.9, .once_share = 0.3}, Options());
  EXPECT_EQ(hits[0].policy, "LRU");
  EXPECT_GT(hits[1].hit_rate, hits[0].hit_rate * 1.2);
}

}  // namespace
}  // namespace emptor::services
