// Replicas: their health, ejections and pauses, and what is due when.
#include <algorithm>
#include <utility>

#include "services/gateway/balancing/dispatcher.h"

namespace emptor::services {
namespace {

using Kind = DispatchAction::Kind;
using std::chrono::milliseconds;

constexpr milliseconds kShortestPause{250}, kLongestPause{30000};
/// Until the next probe of a replica that may be down.
constexpr milliseconds kSoon{50};

}  // namespace

Availability Dispatcher::AvailabilityAt(const Replica& replica, TimePoint now) const {
  if (!replica.healthy || replica.busy_until > now) return Availability::kDown;
  const Availability state = AvailabilityOf(replica.breaker, now);
  // A long answer does not keep its replica on trial: after a while another request may try it.
  const bool is_tried = replica.trial != 0 && now < replica.trial_until;
  return state == Availability::kTrial && is_tried ? Availability::kDown : state;
}

/// Enough of the fleet stays.
bool Dispatcher::MayEject() const {
  size_t present = 0, ejected = 0;
  for (const Replica& one : replicas_) {
    present += one.present ? 1 : 0;
    ejected += one.present && one.breaker.is_ejected() ? 1 : 0;
  }
  return ejected < MaxEjected(options_.breaker, present);
}

void Dispatcher::SetPresent(size_t place, bool present, TimePoint now) {
  Replica& replica = replicas_[place];
  replica.present = present;
  replica.healthy = replica.probing = false;
  replica.is_new = present;
  replica.failed_probes = present ? options_.failed_probes : 0;
  replica.breaker = {};
  replica.busy_until = TimePoint{};
  replica.next_probe = now;
  if (present) {  // another server than the one that failed them
    for (auto& [id, open] : requests_) open.tried &= ~(uint64_t{1} << place);
  }
  SendWaiting(now);  // who waits for none but this one waits in vain
}

void Dispatcher::SetServing(const std::function<uint64_t(uint64_t request)>& serving) {
  for (auto& [id, open] : requests_) open.facts.replicas = serving(id);
}

void Dispatcher::CountFailure(const Attempt& attempt, AttemptFailure failure, milliseconds pause,
                              TimePoint now) {
  if (failure == AttemptFailure::kLate || failure == AttemptFailure::kTooLarge) return;
  Replica& replica = replicas_[attempt.replica];
  ++replica.failures;
  if (failure == AttemptFailure::kBusy) {
    replica.busy_until =
        std::max(replica.busy_until, now + std::clamp(pause, kShortestPause, kLongestPause));
    return;
  }
  const bool may_be_down =
      failure == AttemptFailure::kUnreachable || failure == AttemptFailure::kLost;
  if (may_be_down && replica.healthy) replica.next_probe = std::min(replica.next_probe, now);
  if (!replica.present) return;  // it ends what it had
  const bool was_ejected = replica.breaker.is_ejected();
  const bool was_trial = attempt.trial != 0 && attempt.trial == replica.ejections;
  replica.breaker = AfterFailure(options_.breaker, replica.breaker, was_trial, MayEject(), now);
  if (!was_ejected && replica.breaker.is_ejected()) ++replica.ejections;
}

/// Requests that still wait for their first byte from a replica that is down go elsewhere.
void Dispatcher::FailOver(size_t place, TimePoint now) {
  std::vector<uint64_t> waiting;
  for (const auto& [id, attempt] : attempts_) {
    if (attempt.replica == place && !requests_.at(attempt.request).committed) waiting.push_back(id);
  }
  std::sort(waiting.begin(), waiting.end());
  for (const uint64_t id : waiting) {
    if (!attempts_.contains(id)) continue;
    actions_.push_back({.kind = Kind::kCancel,
                        .request = attempts_.at(id).request,
                        .attempt = id,
                        .replica = place});
    Fail(id, AttemptFailure::kTimeout, milliseconds(0), now);
  }
}

void Dispatcher::Probed(size_t place, bool healthy, TimePoint now) {
  Replica& replica = replicas_[place];
  replica.probing = replica.is_new = false;
  if (!replica.present) return ProbedAfterLeaving(place, healthy, now);
  const bool may_be_down = !healthy && replica.healthy;
  replica.next_probe =
      now + (may_be_down ? std::min(kSoon, options_.probe_interval) : options_.probe_interval);
  if (healthy) {
    // What it said while it went down or came up is void.
    if (std::exchange(replica.failed_probes, 0) > 0) replica.busy_until = TimePoint{};
    if (!replica.healthy) {
      replica.healthy = true;
      prefixes_.Forget(place);  // it was away: most likely another process
      if (replica.breaker.is_ejected()) replica.breaker.ejected_until = now;
    }
  } else if (++replica.failed_probes >= options_.failed_probes && replica.healthy) {
    replica.healthy = false;
    FailOver(place, now);
  }
  SendWaiting(now);
}

/// It is asked only whether what it had can still end.
void Dispatcher::ProbedAfterLeaving(size_t place, bool healthy, TimePoint now) {
  Replica& replica = replicas_[place];
  replica.next_probe = now + options_.probe_interval;
  replica.failed_probes = healthy ? 0 : replica.failed_probes + 1;
  if (replica.failed_probes < options_.failed_probes) return;
  FailOver(place, now);
  SendWaiting(now);
}

void Dispatcher::Tick(TimePoint now) {
  last_tick_ = now;
  for (const uint64_t late : queue_.PopLate(now)) {
    End(late, Kind::kRefuse, DispatchRefusal::kOverloaded);
  }
  if (options_.hedge_after.count() > 0) Hedge(now);
  for (size_t i = 0; i < replicas_.size(); ++i) {
    Replica& replica = replicas_[i];
    if (replica.busy_until <= now) replica.busy_until = TimePoint{};
    if (!replica.is_probed() || replica.probing || replica.next_probe > now) continue;
    replica.probing = true;
    actions_.push_back({.kind = Kind::kProbe, .replica = i});
  }
  SendWaiting(now);
}

Dispatcher::TimePoint Dispatcher::NextTick() const {
  TimePoint next = queue_.EarliestDeadline().value_or(TimePoint::max());
  for (const Replica& replica : replicas_) {
    if (replica.is_probed() && !replica.probing) next = std::min(next, replica.next_probe);
    if (!replica.present || queue_.size() == 0) continue;
    if (replica.busy_until > TimePoint{}) next = std::min(next, replica.busy_until);
    if (!replica.breaker.is_ejected()) continue;
    if (replica.breaker.ejected_until > last_tick_) {
      next = std::min(next, replica.breaker.ejected_until);
    }
    if (replica.trial != 0 && replica.trial_until > last_tick_) {
      next = std::min(next, replica.trial_until);
    }
  }
  if (options_.hedge_after.count() > 0) {
    for (const auto& [id, open] : requests_) next = std::min(next, open.hedge_at);
  }
  return next;
}

bool Dispatcher::CanServe(uint64_t replicas, TimePoint now) const {
  for (size_t i = 0; i < replicas_.size(); ++i) {
    if ((replicas >> i & 1) != 0 && AvailabilityAt(replicas_[i], now) != Availability::kDown) {
      return true;
    }
  }
  return false;
}

ReplicaStatus Dispatcher::StatusOf(size_t place, TimePoint now) const {
  const Replica& replica = replicas_[place];
  return {.availability = AvailabilityAt(replica, now),
          .present = replica.present,
          .healthy = replica.healthy,
          .ejected = replica.breaker.is_ejected(),
          .on_trial = replica.trial != 0,
          .outstanding = replica.outstanding,
          .outstanding_cost = replica.outstanding_cost,
          .attempts = replica.attempts,
          .successes = replica.successes,
          .failures = replica.failures,
          .ejections = replica.ejections};
}

}  // namespace emptor::services
