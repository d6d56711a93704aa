#include "engine/kernels/thread_pool.h"

#include <atomic>
#include <memory>
#include <numeric>
#include <thread>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(ThreadPoolTest, RunsEachChunkOnce) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int round = 0; round < 300; ++round) {
      std::vector<int> runs(static_cast<size_t>(round % 20));
      pool.ParallelFor(static_cast<int>(runs.size()),
                       [&](int i) { ++runs[static_cast<size_t>(i)]; });
      for (const int count : runs) ASSERT_EQ(count, 1);
    }
  }
}

TEST(ThreadPoolTest, WritesOfAllChunksAreSeenAfterwards) {
  ThreadPool pool(3);
  std::vector<int64_t> values(1000);
  for (int64_t round = 1; round <= 100; ++round) {
    pool.ParallelFor(50, [&](int chunk) {
      for (size_t i = 0; i < 20; ++i) values[static_cast<size_t>(chunk) * 20 + i] += round;
    });
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), int64_t{0}),
              1000 * round * (round + 1) / 2);
  }
}

TEST(ThreadPoolTest, AThreadThatIsHeldUpHoldsUpItsChunkAlone) {
  constexpr int kChunks = 12;
  ThreadPool pool(3);
  constexpr int kRounds = 200;  // threads fall asleep and wake between loops in many orders
  for (int round = 0; round < kRounds * kChunks; ++round) {
    const int held = round % kChunks;
    std::atomic<int> others = 0;
    pool.ParallelFor(kChunks, [&](int chunk) {
      if (chunk != held) {
        ++others;
        return;
      }
      // Returns only if other threads take what is left of this one's run.
      while (others < kChunks - 1) std::this_thread::yield();
    });
    EXPECT_EQ(others, kChunks - 1);
  }
}

TEST(ThreadPoolTest, DiesWithoutHavingWorked) {
  auto pool = std::make_unique<ThreadPool>(4);
  EXPECT_EQ(pool->threads(), 4);
  pool.reset();  // joins threads that never worked
  EXPECT_EQ(pool, nullptr);
}

TEST(ThreadPoolTest, ZeroMeansOnePerCore) { EXPECT_GE(ThreadPool(0).threads(), 1); }

}  // namespace
}  // namespace emptor::engine
