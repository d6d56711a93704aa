// Answers by key in virtual time: what is answered again, what is forgotten.
#include "services/limits/idempotency_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace emptor::services {
namespace {

using std::chrono::seconds;
using Outcome = IdempotencyStore::Outcome;

class IdempotencyStoreTest : public ::testing::Test {
 protected:
  IdempotencyStore Make(IdempotencyLimits limits = {}) {
    return IdempotencyStore(limits, [this] { return now_; });
  }
  static IdempotencyStore::Fingerprint PrintOf(uint8_t value) {
    IdempotencyStore::Fingerprint print{};
    print[0] = value;
    return print;
  }
  static std::shared_ptr<const IdempotencyStore::Answer> AnswerOf(const std::string& body) {
    return std::make_shared<const IdempotencyStore::Answer>(
        IdempotencyStore::Answer{200, "application/json", body, {}});
  }
  /// The outcome of a request that is answered at once where it is new.
  static Outcome Do(IdempotencyStore& store, const std::string& caller, const std::string& key,
                    uint8_t print = 1, const std::string& body = "{}") {
    const auto claimed = store.Claim(caller, key, PrintOf(print));
    if (claimed.outcome == Outcome::kNew) store.Keep(caller, key, AnswerOf(body), seconds(60));
    return claimed.outcome;
  }

  std::chrono::steady_clock::time_point now_{seconds(1000)};
};

TEST_F(IdempotencyStoreTest, ARequestIsDoneOnceAndAnsweredAgain) {
  IdempotencyStore store = Make();
  EXPECT_EQ(store.Claim("a", "k", PrintOf(1)).outcome, Outcome::kNew);
  EXPECT_EQ(store.Claim("a", "k", PrintOf(1)).outcome, Outcome::kRunning);
  EXPECT_EQ(store.Claim("a", "k", PrintOf(2)).outcome, Outcome::kOther);
  store.Keep("a", "k", AnswerOf("one"), seconds(60));
  const auto again = store.Claim("a", "k", PrintOf(1));
  EXPECT_EQ(again.outcome, Outcome::kDone);
  ASSERT_NE(again.answer, nullptr);
  EXPECT_EQ(again.answer->body, "one");
  EXPECT_EQ(store.Claim("a", "k", PrintOf(2)).outcome, Outcome::kOther);
  // Another caller's key is another key.
  EXPECT_EQ(store.Claim("b", "k", PrintOf(2)).outcome, Outcome::kNew);
}

TEST_F(IdempotencyStoreTest, WhatWasNotDoneMayBeSentAgainAlsoChanged) {
  IdempotencyStore store = Make();
  EXPECT_EQ(store.Claim("a", "k", PrintOf(1)).outcome, Outcome::kNew);
  store.Release("a", "k");
  EXPECT_EQ(store.size(), 0u);
  EXPECT_EQ(Do(store, "a", "k", 2), Outcome::kNew);
  store.Release("a", "k");  // of an answer: nothing
  EXPECT_EQ(Do(store, "a", "k", 2), Outcome::kDone);
}

TEST_F(IdempotencyStoreTest, AnswersEndWithTheirTimeAndRunningRequestsDoNot) {
  IdempotencyStore store = Make();
  EXPECT_EQ(Do(store, "a", "k"), Outcome::kNew);
  EXPECT_EQ(store.Claim("a", "running", PrintOf(1)).outcome, Outcome::kNew);
  now_ += seconds(59);
  EXPECT_EQ(Do(store, "a", "k"), Outcome::kDone);
  now_ += seconds(1);
  EXPECT_EQ(Do(store, "a", "k"), Outcome::kNew);
  now_ += seconds(100000);
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.Claim("a", "running", PrintOf(1)).outcome, Outcome::kRunning);
}

TEST_F(IdempotencyStoreTest, AnAnswerThatIsTooLargeIsKnownToHaveBeenGiven) {
  IdempotencyStore store = Make({.answer_bytes = 100});
  EXPECT_EQ(Do(store, "a", "k", 1, std::string(200, 'x')), Outcome::kNew);
  const auto again = store.Claim("a", "k", PrintOf(1));
  EXPECT_EQ(again.outcome, Outcome::kDone);
  EXPECT_EQ(again.answer, nullptr);
}

TEST_F(IdempotencyStoreTest, BeyondItsLimitACallerLosesItsOldestAndNobodyElses) {
  IdempotencyStore store = Make({.keys_of_caller = 2});
  EXPECT_EQ(Do(store, "b", "1"), Outcome::kNew);
  for (const char* key : {"1", "2", "3"}) EXPECT_EQ(Do(store, "a", key), Outcome::kNew);
  EXPECT_EQ(Do(store, "a", "3"), Outcome::kDone);
  EXPECT_EQ(Do(store, "a", "2"), Outcome::kDone);
  EXPECT_EQ(Do(store, "b", "1"), Outcome::kDone);
  EXPECT_EQ(Do(store, "a", "1"), Outcome::kNew);
  // All that it may have are under way.
  EXPECT_EQ(store.Claim("c", "1", PrintOf(1)).outcome, Outcome::kNew);
  EXPECT_EQ(store.Claim("c", "2", PrintOf(1)).outcome, Outcome::kNew);
  EXPECT_EQ(store.Claim("c", "3", PrintOf(1)).outcome, Outcome::kTooMany);
}

TEST_F(IdempotencyStoreTest, KeysAndBytesOfAllAreBounded) {
  IdempotencyStore keys = Make({.keys = 100});
  IdempotencyStore bytes = Make({.bytes = 100000});
  for (int i = 0; i < 1000; ++i) {
    const std::string caller = "c" + std::to_string(i);
    EXPECT_EQ(Do(keys, caller, "k"), Outcome::kNew);
    EXPECT_EQ(Do(bytes, caller, "k", 1, std::string(9000, 'x')), Outcome::kNew);
  }
  EXPECT_EQ(keys.size(), 100u);
  EXPECT_LE(bytes.size(), 11u);
  EXPECT_GE(bytes.size(), 5u);
  EXPECT_EQ(Do(keys, "c999", "k"), Outcome::kDone);
  EXPECT_EQ(Do(keys, "c0", "k"), Outcome::kNew);
}

TEST_F(IdempotencyStoreTest, OfManyAtOnceOneIsNew) {
  IdempotencyStore store = Make();
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> fresh{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        if (Do(store, "a", std::to_string(round)) == Outcome::kNew) ++fresh;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(fresh, 1);
  }
}

}  // namespace
}  // namespace emptor::services
