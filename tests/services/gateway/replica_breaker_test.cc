// Ejection, pauses and trials; the budget of retries.
#include "services/gateway/balancing/replica_breaker.h"

#include <gtest/gtest.h>

#include "services/gateway/balancing/retry_budget.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using TimePoint = BreakerState::TimePoint;

TEST(ReplicaBreakerTest, ThreeFailuresInARowEject) {
  const BreakerPolicy policy;
  const TimePoint now{milliseconds(5000)};
  BreakerState state;
  for (int i = 0; i < 2; ++i) state = AfterFailure(policy, state, false, true, now);
  EXPECT_EQ(AvailabilityOf(state, now), Availability::kUp);
  state = AfterSuccess(policy, state, false);
  for (int i = 0; i < 3; ++i) state = AfterFailure(policy, state, false, true, now);
  EXPECT_EQ(AvailabilityOf(state, now), Availability::kDown);
  EXPECT_EQ(AvailabilityOf(state, now + policy.first_pause), Availability::kTrial);
}

TEST(ReplicaBreakerTest, AShareOfFailuresEjectsToo) {
  const BreakerPolicy policy;
  BreakerState state;
  for (int i = 0; i < 9; ++i) {
    state = AfterFailure(policy, state, false, true, {});
    state = AfterSuccess(policy, state, false);
  }
  EXPECT_FALSE(state.is_ejected());  // too few results
  for (int i = 0; i < 2; ++i) {
    state = AfterSuccess(policy, state, false);
    state = AfterFailure(policy, state, false, true, {});
  }
  EXPECT_TRUE(state.is_ejected());
}

TEST(ReplicaBreakerTest, PausesDoubleToTheLongestAndATrialEndsThem) {
  const BreakerPolicy policy;
  TimePoint now{milliseconds(1)};
  BreakerState state;
  for (int i = 0; i < 3; ++i) state = AfterFailure(policy, state, false, true, now);
  for (const int pause : {1000, 2000, 4000, 4000}) {
    EXPECT_EQ(state.ejected_until - now, milliseconds(pause));
    now = state.ejected_until;
    // What was sent before the ejection says nothing about now.
    EXPECT_EQ(AfterFailure(policy, state, false, true, now).ejections, state.ejections);
    EXPECT_TRUE(AfterSuccess(policy, state, false).is_ejected());
    state = AfterFailure(policy, state, true, false, now);
  }
  EXPECT_FALSE(AfterSuccess(policy, state, true).is_ejected());
}

TEST(ReplicaBreakerTest, HalfOfTheFleetStays) {
  const BreakerPolicy policy;
  const size_t want[] = {0, 0, 1, 1, 2, 2, 3};
  for (size_t n = 0; n < 7; ++n) EXPECT_EQ(MaxEjected(policy, n), want[n]) << n;
  BreakerState state;
  for (int i = 0; i < 30; ++i) state = AfterFailure(policy, state, false, false, {});
  EXPECT_FALSE(state.is_ejected());
}

TEST(RetryBudgetTest, RetriesArePaidForByAnswers) {
  RetryBudget budget({.per_success = 0.2, .at_start = 2, .most = 5});
  EXPECT_TRUE(budget.TryTake());
  EXPECT_TRUE(budget.TryTake());
  EXPECT_FALSE(budget.TryTake());
  for (int i = 0; i < 5; ++i) budget.OnSuccess();
  EXPECT_TRUE(budget.TryTake());
  EXPECT_FALSE(budget.TryTake());
  for (int i = 0; i < 1000; ++i) budget.OnSuccess();
  EXPECT_DOUBLE_EQ(budget.level(), 5);
}

}  // namespace
}  // namespace emptor::services
