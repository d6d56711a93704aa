// Counting, ejecting, and the pause that doubles.
#include "services/gateway/balancing/replica_breaker.h"

#include <algorithm>

namespace emptor::services {
namespace {

void Count(const BreakerPolicy& policy, BreakerState& state, bool failed) {
  if (state.results >= 2 * policy.window) {
    state.results /= 2;
    state.failures /= 2;
  }
  state.results += 1;
  if (failed) state.failures += 1;
}

bool IsOutlier(const BreakerPolicy& policy, const BreakerState& state) {
  return state.failures_in_row >= policy.failures_in_row ||
         (state.results >= policy.window && state.failures >= policy.failure_share * state.results);
}

std::chrono::milliseconds PauseOf(const BreakerPolicy& policy, int ejections) {
  const int doublings = std::min(ejections - 1, 20);
  return std::min(policy.longest_pause, policy.first_pause * (1 << doublings));
}

}  // namespace

size_t MaxEjected(const BreakerPolicy& policy, size_t replicas) {
  if (replicas < 2) return 0;
  const auto share = static_cast<size_t>(policy.max_ejected_share * static_cast<double>(replicas));
  return std::max<size_t>(1, share);
}

BreakerState AfterSuccess(const BreakerPolicy& policy, BreakerState state, bool was_trial) {
  if (state.is_ejected()) return was_trial ? BreakerState{} : state;
  state.failures_in_row = 0;
  Count(policy, state, false);
  return state;
}

BreakerState AfterFailure(const BreakerPolicy& policy, BreakerState state, bool was_trial,
                          bool may_eject, BreakerState::TimePoint now) {
  if (state.is_ejected()) {
    if (!was_trial) return state;
    ++state.ejections;
    state.ejected_until = now + PauseOf(policy, state.ejections);
    return state;
  }
  ++state.failures_in_row;
  Count(policy, state, true);
  if (!may_eject || !IsOutlier(policy, state)) return state;
  state.ejections = 1;
  state.ejected_until = now + PauseOf(policy, 1);
  return state;
}

Availability AvailabilityOf(const BreakerState& state, BreakerState::TimePoint now) {
  if (!state.is_ejected()) return Availability::kUp;
  return now >= state.ejected_until ? Availability::kTrial : Availability::kDown;
}

}  // namespace emptor::services
