// The policy of the answer cache: its bound, whom it admits, and what it forgets.
#include "retrieval/cache/tiny_lfu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "retrieval/cache/frequency_sketch.h"

namespace emptor::retrieval {
namespace {

TEST(FrequencySketchTest, CountsWithoutUnderestimatingUntilItHalves) {
  FrequencySketch sketch(1024, 7);
  for (uint64_t key = 0; key < 100; ++key) {
    for (uint64_t i = 0; i <= key % 10; ++i) sketch.Add(key);
  }
  int exact = 0;
  for (uint64_t key = 0; key < 100; ++key) {
    const auto added = static_cast<int>(key % 10) + 1;
    EXPECT_GE(sketch.Count(key), added);
    exact += sketch.Count(key) == added;
  }
  EXPECT_GE(exact, 95) << "few collide where there is room";
}

TEST(FrequencySketchTest, ForgetsWhatWasFrequentLongAgo) {
  FrequencySketch sketch(64, 7);
  for (int i = 0; i < 15; ++i) sketch.Add(1);
  ASSERT_EQ(sketch.Count(1), FrequencySketch::kMaxCount);
  for (uint64_t key = 1000; key < 1000 + 64 * 10 * 4; ++key) sketch.Add(key);
  EXPECT_LT(sketch.Count(1), 12);
}

/// An owner that checks what the policy tells it.
class Owner {
 public:
  explicit Owner(const TinyLfuOptions& options) : policy(options) {}
  /// True: it was held.
  bool Ask(uint64_t key, size_t bytes) {
    policy.Touch(key);
    if (held.contains(key)) return true;
    held.insert(key);
    for (const uint64_t gone : policy.Insert(key, bytes)) {
      EXPECT_EQ(held.erase(gone), 1u) << gone << " was dropped twice, or never held";
    }
    return false;
  }
  TinyLfu policy;
  std::set<uint64_t> held;
};

TEST(TinyLfuTest, NeverHoldsMoreThanItsBytesAndNamesAllThatMustGo) {
  for (const double window : {0.0, 0.01, 0.2, 1.0}) {
    const TinyLfuOptions options{
        .max_bytes = 10000, .usual_entry_bytes = 200, .window_share = window};
    Owner owner(options);
    std::mt19937 random(20261129);
    for (int i = 0; i < 50000; ++i) {
      const uint64_t key = random() % 400;
      owner.Ask(key, 1 + (key * 97) % 900);
      if (i % 7 == 0) {
        const uint64_t erased = random() % 400;
        owner.policy.Erase(erased);
        owner.held.erase(erased);
      }
      ASSERT_LE(owner.policy.bytes(), options.max_bytes);
      ASSERT_EQ(owner.policy.size(), owner.held.size());
    }
    EXPECT_GT(owner.policy.bytes(), options.max_bytes / 2);
  }
}

TEST(TinyLfuTest, OneLookAtManyKeysDoesNotPushOutWhatIsAskedForOften) {
  Owner owner({.max_bytes = 10000, .usual_entry_bytes = 100});
  for (int round = 0; round < 8; ++round) {
    for (uint64_t key = 0; key < 50; ++key) owner.Ask(key, 100);
  }
  for (uint64_t key = 1000; key < 1900; ++key) owner.Ask(key, 100);
  int kept = 0;
  for (uint64_t key = 0; key < 50; ++key) kept += owner.held.contains(key);
  EXPECT_GE(kept, 45);
}

TEST(TinyLfuTest, ALargeEntryMustBeWorthAllThatGoForIt) {
  Owner owner({.max_bytes = 10000, .usual_entry_bytes = 100, .window_share = 0.1});
  for (int round = 0; round < 4; ++round) {
    for (uint64_t key = 0; key < 80; ++key) owner.Ask(key, 100);
  }
  for (int i = 0; i < 6; ++i) owner.Ask(5000, 6000);
  EXPECT_FALSE(owner.held.contains(5000)) << "asked 6 times, against 50 entries asked 4 times";
  Owner empty({.max_bytes = 10000});
  EXPECT_FALSE(empty.Ask(1, 10001));
  EXPECT_TRUE(empty.held.empty()) << "larger than everything";
}

TEST(TinyLfuTest, ANewSizeReplacesTheOld) {
  TinyLfu policy({.max_bytes = 1000});
  policy.Insert(1, 150);
  policy.Insert(1, 100);
  EXPECT_EQ(policy.bytes(), 100u);
  EXPECT_EQ(policy.size(), 1u);
  policy.Erase(1);
  policy.Erase(1);
  EXPECT_EQ(policy.bytes(), 0u);
}

}  // namespace
}  // namespace emptor::retrieval
