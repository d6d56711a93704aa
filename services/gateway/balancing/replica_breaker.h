// Whether a replica is left alone after failures: outlier ejection, as values and pure functions.
#pragma once

#include <chrono>
#include <cstddef>

#include "services/gateway/balancing/pick_replica.h"

namespace emptor::services {

struct BreakerPolicy {
  int failures_in_row = 3;  // eject
  /// So does this share of failures among the latest results, of which there are at least
  /// `window`.
  double failure_share = 0.5;
  int window = 20;
  std::chrono::milliseconds first_pause{1000}, longest_pause{4000};  // doubles with each ejection
  double max_ejected_share = 0.5;                                    // of the fleet
};

/// Of one replica.
struct BreakerState {
  using TimePoint = std::chrono::steady_clock::time_point;
  int failures_in_row = 0;
  double failures = 0, results = 0;  // of the window; older ones count half
  int ejections = 0;                 // in a row; 0: not ejected
  TimePoint ejected_until{};         // while ejections > 0

  bool is_ejected() const { return ejections > 0; }
};

/// How many replicas may be ejected at once: at least one where there are several.
size_t MaxEjected(const BreakerPolicy& policy, size_t replicas);

/// After a request that was answered. `was_trial`: it was the one that was let through; only that
/// one ends an ejection.
BreakerState AfterSuccess(const BreakerPolicy& policy, BreakerState state, bool was_trial);

/// After one that failed. `may_eject`: fewer than MaxEjected are. Results of requests that were
/// sent before the ejection change nothing.
BreakerState AfterFailure(const BreakerPolicy& policy, BreakerState state, bool was_trial,
                          bool may_eject, BreakerState::TimePoint now);

/// kTrial once the pause is over; whoever sends the trial sees that there is one at a time.
Availability AvailabilityOf(const BreakerState& state, BreakerState::TimePoint now);

}  // namespace emptor::services
