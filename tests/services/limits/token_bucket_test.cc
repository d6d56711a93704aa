// The bucket in virtual time.
#include "services/limits/token_bucket.h"

#include <gtest/gtest.h>

#include <random>

namespace emptor::services {
namespace {

using std::chrono::milliseconds, std::chrono::seconds;

constexpr TokenBucket::TimePoint kStart{seconds(1000)};

TEST(TokenBucketTest, GivesABurstThenTheRate) {
  TokenBucket bucket({.per_minute = 60, .burst = 3}, kStart);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bucket.TryTake(1, kStart));
  EXPECT_FALSE(bucket.TryTake(1, kStart));
  EXPECT_DOUBLE_EQ(bucket.SecondsUntil(1, kStart), 1);
  EXPECT_FALSE(bucket.TryTake(1, kStart + milliseconds(999)));
  EXPECT_TRUE(bucket.TryTake(1, kStart + seconds(1)));
  EXPECT_DOUBLE_EQ(bucket.LevelAt(kStart + seconds(100)), 3) << "never more than the burst";
}

TEST(TokenBucketTest, WhatWasUsedBeyondAReservationIsWaitedFor) {
  TokenBucket bucket({.per_minute = 60, .burst = 10}, kStart);
  EXPECT_TRUE(bucket.TryTake(5, kStart));
  bucket.Charge(15, kStart);
  EXPECT_DOUBLE_EQ(bucket.LevelAt(kStart), -10);
  EXPECT_DOUBLE_EQ(bucket.SecondsUntil(5, kStart), 15);
  bucket.Charge(-100, kStart);
  EXPECT_DOUBLE_EQ(bucket.LevelAt(kStart), 10) << "giving back does not overfill it";
}

TEST(TokenBucketTest, MoreThanAFullBucketNeedsAFullOne) {
  TokenBucket bucket({.per_minute = 60, .burst = 10}, kStart);
  EXPECT_TRUE(bucket.TryTake(40, kStart));
  EXPECT_FALSE(bucket.TryTake(1, kStart + seconds(30)));
  EXPECT_TRUE(bucket.TryTake(1, kStart + seconds(31)));
}

TEST(TokenBucketTest, WithoutALimitEverythingPasses) {
  TokenBucket bucket({}, kStart);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(bucket.TryTake(1e9, kStart));
  EXPECT_EQ(bucket.SecondsUntil(1e9, kStart), 0);
}

/// Whatever the order of requests, no more is given than burst + rate * time, and no request waits
/// longer than it should.
TEST(TokenBucketTest, NeverGivesMoreThanItsPolicy) {
  std::mt19937 random(20261129);
  for (int run = 0; run < 200; ++run) {
    const TokenBucket::Policy policy{.per_minute = 1.0 + random() % 6000,
                                     .burst = 1.0 + random() % 100};
    TokenBucket bucket(policy, kStart);
    auto now = kStart;
    double given = 0;
    for (int i = 0; i < 500; ++i) {
      now += milliseconds(random() % 200);
      const double units = 1.0 + random() % 3;
      if (bucket.TryTake(units, now)) {
        given += units;
      } else {
        const std::chrono::duration<double> wait(bucket.SecondsUntil(units, now) + 1e-6);
        now += std::chrono::duration_cast<std::chrono::steady_clock::duration>(wait);
        EXPECT_TRUE(bucket.TryTake(units, now));
        given += units;
      }
      const std::chrono::duration<double> passed = now - kStart;
      // A request larger than the bucket may take it below zero, by its own size at most.
      EXPECT_LE(given, policy.burst + policy.per_minute / 60 * passed.count() + 3 + 1e-3);
    }
  }
}

}  // namespace
}  // namespace emptor::services
