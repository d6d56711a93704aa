// Order, bounds and priority of queued work.
#include "services/workers/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <future>
#include <vector>

namespace emptor::services {
namespace {

int NicenessOf(WorkerPool& pool) {
  std::promise<int> told;
  pool.Submit([&] { told.set_value(::getpriority(PRIO_PROCESS, 0)); });
  return told.get_future().get();
}

TEST(WorkerPoolTest, RunsInOrderAndAllBeforeItEnds) {
  std::vector<int> ran;
  {
    WorkerPool pool(1, 1);
    for (int i = 0; i < 5; ++i) pool.Submit([&ran, i] { ran.push_back(i); });
  }
  EXPECT_THAT(ran, ::testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(WorkerPoolTest, RefusesWhatWouldWaitTooLong) {
  std::promise<void> begun, go_on;
  WorkerPool pool(1, 1);
  pool.Submit([&] {
    begun.set_value();
    go_on.get_future().wait();
  });
  begun.get_future().wait();
  EXPECT_TRUE(pool.TrySubmit([] {}));
  EXPECT_EQ(pool.queued(), 1u);
  EXPECT_FALSE(pool.TrySubmit([] {}));
  go_on.set_value();
}

TEST(WorkerPoolTest, ANicePoolStepsBackAndOthersDoNot) {
  const int own = ::getpriority(PRIO_PROCESS, 0);
  if (own + 3 > 19) GTEST_SKIP() << "the tests run at the lowest priority themselves";
  WorkerPool usual(1, 1), nice(1, 1, own + 3);
  EXPECT_EQ(NicenessOf(nice), own + 3);
  EXPECT_EQ(NicenessOf(usual), own);
}

}  // namespace
}  // namespace emptor::services
