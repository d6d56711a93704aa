// Callers in virtual time.
#include "services/limits/rate_limiter.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace emptor::services {
namespace {

using std::chrono::seconds;

class RateLimiterTest : public ::testing::Test {
 protected:
  RateLimiter Make(const CallerLimits& limits, size_t max_callers = 100) {
    return {limits, [this] { return now_; }, max_callers};
  }
  TokenBucket::TimePoint now_{seconds(1000)};
};

TEST_F(RateLimiterTest, CallersDoNotShare) {
  RateLimiter limiter = Make({.requests = {.per_minute = 60, .burst = 2}});
  EXPECT_EQ(limiter.Admit("a", 0).exceeded, Limit::kNone);
  const LimitState second = limiter.Admit("a", 0);
  EXPECT_EQ(second.exceeded, Limit::kNone);
  EXPECT_DOUBLE_EQ(second.requests_left, 0);
  EXPECT_DOUBLE_EQ(second.requests_full_seconds, 2);
  const LimitState third = limiter.Admit("a", 0);
  EXPECT_EQ(third.exceeded, Limit::kRequests);
  EXPECT_DOUBLE_EQ(third.retry_seconds, 1);
  EXPECT_EQ(limiter.Admit("b", 0).exceeded, Limit::kNone);
  now_ += seconds(1);
  EXPECT_EQ(limiter.Admit("a", 0).exceeded, Limit::kNone);
}

TEST_F(RateLimiterTest, TokensAreReservedThenSettled) {
  RateLimiter limiter = Make({.tokens = {.per_minute = 600, .burst = 100}});
  EXPECT_EQ(limiter.Admit("a", 60).exceeded, Limit::kNone);
  EXPECT_EQ(limiter.Admit("a", 60).exceeded, Limit::kTokens) << "what runs is counted";
  limiter.Settle("a", 60, 10);
  EXPECT_EQ(limiter.Admit("a", 60).exceeded, Limit::kNone);
  limiter.Settle("a", 60, 260);
  const LimitState state = limiter.Admit("a", 60);
  EXPECT_EQ(state.exceeded, Limit::kTokens);
  EXPECT_DOUBLE_EQ(state.tokens_left, -170);
  EXPECT_DOUBLE_EQ(state.retry_seconds, 23);
  EXPECT_EQ(limiter.Admit("a", 0).exceeded, Limit::kNone) << "a request without a model passes";
}

TEST_F(RateLimiterTest, ARefusedRequestTakesNothing) {
  RateLimiter limiter = Make(
      {.requests = {.per_minute = 60, .burst = 2}, .tokens = {.per_minute = 600, .burst = 100}});
  EXPECT_EQ(limiter.Admit("a", 100).exceeded, Limit::kNone);
  EXPECT_EQ(limiter.Admit("a", 100).exceeded, Limit::kTokens);
  EXPECT_DOUBLE_EQ(limiter.Admit("a", 0).requests_left, 0) << "the refused one took no request";
}

TEST_F(RateLimiterTest, StreamsAreCapped) {
  RateLimiter limiter = Make({.streams = 2});
  EXPECT_TRUE(limiter.TakeStream("a"));
  EXPECT_TRUE(limiter.TakeStream("a"));
  EXPECT_FALSE(limiter.TakeStream("a"));
  EXPECT_TRUE(limiter.TakeStream("b"));
  limiter.GiveStream("a");
  EXPECT_TRUE(limiter.TakeStream("a"));
}

TEST_F(RateLimiterTest, MemoryIsBoundedAndOpenStreamsAreKept) {
  RateLimiter limiter =
      Make({.requests = {.per_minute = 60, .burst = 1}, .streams = 1}, /*max_callers=*/10);
  EXPECT_TRUE(limiter.TakeStream("kept"));
  for (int i = 0; i < 1000; ++i) limiter.Admit(std::to_string(i), 0);
  EXPECT_LE(limiter.callers(), 11u);
  EXPECT_FALSE(limiter.TakeStream("kept"));
}

TEST_F(RateLimiterTest, ManyThreadsTakeNoMoreThanThereIs) {
  RateLimiter limiter = Make({.requests = {.per_minute = 60, .burst = 500}});
  std::atomic<int> admitted{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        if (limiter.Admit("a", 0).exceeded == Limit::kNone) ++admitted;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(admitted, 500);
}

}  // namespace
}  // namespace emptor::services
