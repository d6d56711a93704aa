// Order of service, of shedding, and deadlines.
#include "services/gateway/balancing/admission_queue.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using enum PriorityClass;

AdmissionQueue::TimePoint At(int ms) { return AdmissionQueue::TimePoint(milliseconds(ms)); }
const auto kAny = [](uint64_t) { return true; };

TEST(AdmissionQueueTest, ServesClassesThenDeadlinesThenArrival) {
  AdmissionQueue queue(10);
  queue.Push(1, kBatch, At(10));
  queue.Push(2, kStandard, At(50));
  queue.Push(3, kStandard, At(40));
  queue.Push(4, kStandard, At(40));
  queue.Push(5, kInteractive, At(90));
  for (const uint64_t want : {5, 3, 4, 2, 1}) EXPECT_EQ(queue.PopFirst(kAny), want);
  EXPECT_EQ(queue.PopFirst(kAny), std::nullopt);
}

TEST(AdmissionQueueTest, PassesOverWhatFitsNowhere) {
  AdmissionQueue queue(10);
  queue.Push(1, kStandard, At(10));
  queue.Push(2, kStandard, At(20));
  EXPECT_EQ(queue.PopFirst([](uint64_t id) { return id == 2; }), 2u);
  EXPECT_EQ(queue.PopFirst([](uint64_t id) { return id == 2; }), std::nullopt);
  EXPECT_EQ(queue.size(), 1u);
}

TEST(AdmissionQueueTest, ShedsTheLowestClassFirst) {
  AdmissionQueue queue(2);
  const auto push = [&](uint64_t id, PriorityClass priority, int ms) {
    queue.Push(id, priority, At(ms));
    return queue.PopExcess();
  };
  EXPECT_EQ(push(1, kBatch, 10), std::nullopt);
  EXPECT_EQ(push(2, kStandard, 10), std::nullopt);
  EXPECT_EQ(push(3, kBatch, 20), 3u);  // itself
  EXPECT_EQ(push(4, kInteractive, 20), 1u);
  EXPECT_EQ(push(5, kInteractive, 30), 2u);
  EXPECT_EQ(push(6, kInteractive, 40), 6u);
  EXPECT_EQ(queue.size(), 2u);
}

TEST(AdmissionQueueTest, ShedsNothingThatIsServedInTime) {
  AdmissionQueue queue(1);
  queue.Push(1, kStandard, At(10));
  queue.Push(2, kBatch, At(20));
  EXPECT_EQ(queue.PopFirst([](uint64_t id) { return id == 2; }), 2u);
  EXPECT_EQ(queue.PopExcess(), std::nullopt);
}

TEST(AdmissionQueueTest, GivesUpLateOnesWhateverTheirClass) {
  AdmissionQueue queue(10);
  queue.Push(1, kInteractive, At(30));
  queue.Push(2, kBatch, At(10));
  queue.Push(3, kStandard, At(20));
  EXPECT_EQ(queue.EarliestDeadline(), At(10));
  EXPECT_EQ(queue.PopLate(At(20)), (std::vector<uint64_t>{2, 3}));
  EXPECT_TRUE(queue.Remove(1));
  EXPECT_FALSE(queue.Remove(1));
  EXPECT_EQ(queue.EarliestDeadline(), std::nullopt);
}

}  // namespace
}  // namespace emptor::services
