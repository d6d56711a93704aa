// Requests: arrival, attempts, ends. What concerns the replicas is in dispatcher_replicas.cc.
#include "services/gateway/balancing/dispatcher.h"

#include <algorithm>
#include <utility>

namespace emptor::services {
namespace {

using Kind = DispatchAction::Kind;
using std::chrono::milliseconds;

constexpr size_t kMaxPoison = 1024;
/// Weight of the latest answer in the mean length of answers.
constexpr double kNewest = 0.02;

bool IsBit(uint64_t set, size_t i) { return (set >> i & 1) != 0; }

}  // namespace

Dispatcher::Dispatcher(DispatchOptions options, std::vector<ReplicaSetting> replicas,
                       std::function<double()> random)
    : options_(std::move(options)),
      random_(std::move(random)),
      replicas_(replicas.size()),
      prefixes_(replicas.size(), options_.prefix_blocks),
      budget_(options_.retries),
      queue_(options_.max_waiting),
      mean_tokens_(options_.expected_tokens) {
  for (size_t i = 0; i < replicas.size(); ++i) {
    replicas_[i].setting = replicas[i];
    replicas_[i].present = replicas_[i].healthy = replicas[i].present;
  }
}

double Dispatcher::ExpectedTokens(const DispatchRequest& facts) const {
  return facts.max_tokens > 0 ? std::min(facts.max_tokens, mean_tokens_) : mean_tokens_;
}

std::vector<ReplicaView> Dispatcher::ViewFor(const Open& open, TimePoint now) const {
  std::vector<ReplicaView> views(replicas_.size());
  for (size_t i = 0; i < replicas_.size(); ++i) {
    const Replica& replica = replicas_[i];
    ReplicaView& view = views[i];
    view.availability = AvailabilityAt(replica, now);
    view.excluded = !IsBit(open.facts.replicas, i) || IsBit(open.tried, i);
    for (const uint64_t attempt : open.attempts) {
      if (attempts_.at(attempt).replica == i) view.excluded = true;
    }
    view.group = replica.setting.group;
    view.same_zone = replica.setting.same_zone;
    view.capacity = replica.setting.capacity;
    view.outstanding = replica.outstanding;
    view.max_outstanding = replica.setting.max_outstanding;
    view.outstanding_cost = replica.outstanding_cost;
    if (options_.pick.affinity && !open.facts.blocks.empty()) {
      view.cached_tokens =
          open.facts.block_tokens * static_cast<double>(prefixes_.Match(i, open.facts.blocks));
    }
  }
  return views;
}

std::optional<size_t> Dispatcher::Pick(const Open& open, TimePoint now) {
  PickRequest request{.prompt_tokens = open.facts.prompt_tokens,
                      .expected_tokens = ExpectedTokens(open.facts),
                      .session = open.facts.session,
                      .turn = turn_,
                      .random = {random_(), random_(), random_()}};
  return PickReplica(options_.pick, request, ViewFor(open, now), options_.group_weights);
}

void Dispatcher::Send(uint64_t request, Open& open, size_t place, TimePoint now) {
  Replica& replica = replicas_[place];
  const uint64_t id = next_attempt_++;
  Attempt attempt{.request = request, .replica = place};
  if (AvailabilityAt(replica, now) == Availability::kTrial) {
    replica.trial = id;
    replica.trial_until = now + options_.breaker.longest_pause;
    attempt.trial = replica.ejections;
  }
  attempt.expected = ExpectedTokens(open.facts);
  const double cached = std::min(
      open.facts.prompt_tokens,
      open.facts.block_tokens * static_cast<double>(prefixes_.Match(place, open.facts.blocks)));
  attempt.cost = open.facts.prompt_tokens - cached + attempt.expected;
  prefixes_.Add(place, open.facts.blocks);
  ++turn_;
  ++replica.attempts;
  ++replica.outstanding;
  replica.outstanding_cost += attempt.cost;
  ++counts_.attempts;
  counts_.prompt_tokens += static_cast<uint64_t>(open.facts.prompt_tokens);
  counts_.cached_tokens += static_cast<uint64_t>(cached);
  ++open.sent;
  open.attempts.push_back(id);
  if (options_.hedge_after.count() > 0 && open.facts.may_hedge && open.attempts.size() == 1) {
    open.hedge_at = now + options_.hedge_after;
  }
  attempts_.emplace(id, attempt);
  actions_.push_back({.kind = Kind::kSend, .request = request, .attempt = id, .replica = place});
}

/// A replica that is up may take it later: when it has room, or after its pause.
bool Dispatcher::MayWait(const Open& open) const {
  for (size_t i = 0; i < replicas_.size(); ++i) {
    const Replica& replica = replicas_[i];
    const bool may_take = replica.healthy || replica.is_new;
    if (IsBit(open.facts.replicas, i) && !IsBit(open.tried, i) && may_take) return true;
  }
  return false;
}

void Dispatcher::Place(uint64_t request, TimePoint now) {
  Open& open = requests_.at(request);
  if (queue_.size() == 0 || open.sent > 0) {  // who waits already goes first
    if (const auto replica = Pick(open, now)) return Send(request, open, *replica, now);
    if (!MayWait(open)) {
      return End(request, Kind::kRefuse,
                 open.sent == 0 ? DispatchRefusal::kNoReplica : DispatchRefusal::kFailed);
    }
  }
  const auto until = std::min(now + open.facts.patience, open.facts.deadline);
  queue_.Push(request, open.facts.priority, until);
  SendWaiting(now);
  if (until <= now && queue_.Remove(request)) {
    End(request, Kind::kRefuse, DispatchRefusal::kOverloaded);
  }
  // Only now: what a replica can take has left the queue.
  while (const auto shed = queue_.PopExcess()) {
    End(*shed, Kind::kRefuse, DispatchRefusal::kOverloaded);
  }
}

/// Bit i: replica i has room for a request or a trial.
uint64_t Dispatcher::Takers(TimePoint now) const {
  uint64_t takers = 0;
  for (size_t i = 0; i < replicas_.size(); ++i) {
    const Replica& replica = replicas_[i];
    const bool has_room = replica.outstanding < replica.setting.max_outstanding;
    if (has_room && AvailabilityAt(replica, now) != Availability::kDown) {
      takers |= uint64_t{1} << i;
    }
  }
  return takers;
}

/// Every place that is free is taken by the first that it fits; who can hope for none is refused.
void Dispatcher::SendWaiting(TimePoint now) {
  while (queue_.size() > 0) {
    std::optional<size_t> replica;
    bool is_hopeless = false;
    const uint64_t takers = Takers(now);
    const auto request = queue_.PopFirst([&](uint64_t id) {
      const Open& open = requests_.at(id);
      const bool has_taker = (open.facts.replicas & ~open.tried & takers) != 0;
      replica = has_taker ? Pick(open, now) : std::nullopt;
      is_hopeless = !replica && !MayWait(open);
      return replica || is_hopeless;
    });
    if (!request) return;
    if (is_hopeless) {
      const bool was_sent = requests_.at(*request).sent > 0;
      End(*request, Kind::kRefuse,
          was_sent ? DispatchRefusal::kFailed : DispatchRefusal::kNoReplica);
    } else {
      Send(*request, requests_.at(*request), *replica, now);
    }
  }
}

void Dispatcher::Arrive(uint64_t request, DispatchRequest facts, TimePoint now) {
  ++counts_.requests;
  const uint64_t digest = facts.digest;
  requests_.emplace(request, Open{.facts = std::move(facts)});
  if (draining_) return End(request, Kind::kRefuse, DispatchRefusal::kDraining);
  if (const auto found = poison_.find(digest); digest != 0 && found != poison_.end()) {
    if (found->second > now) return End(request, Kind::kRefuse, DispatchRefusal::kPoison);
    poison_.erase(found);
  }
  Place(request, now);
}

/// The attempt no longer counts at its replica.
void Dispatcher::Release(uint64_t id) {
  const auto found = attempts_.find(id);
  const Attempt& attempt = found->second;
  Replica& replica = replicas_[attempt.replica];
  --replica.outstanding;
  replica.outstanding_cost =
      replica.outstanding == 0 ? 0 : std::max(0.0, replica.outstanding_cost - attempt.cost);
  if (replica.trial == id) replica.trial = 0;
  if (const auto open = requests_.find(attempt.request); open != requests_.end()) {
    std::erase(open->second.attempts, id);
  }
  attempts_.erase(found);
}

void Dispatcher::Cancel(uint64_t id) {
  const Attempt attempt = attempts_.at(id);
  actions_.push_back({.kind = Kind::kCancel,
                      .request = attempt.request,
                      .attempt = id,
                      .replica = attempt.replica});
  Release(id);
}

void Dispatcher::CancelAll(Open& open) {
  const std::vector<uint64_t> running = open.attempts;
  for (const uint64_t id : running) Cancel(id);
}

void Dispatcher::End(uint64_t request, Kind kind, DispatchRefusal reason, AttemptFailure failure) {
  const auto found = requests_.find(request);
  CancelAll(found->second);
  requests_.erase(found);
  ++(kind == Kind::kBreak ? counts_.broken : counts_.refused);
  actions_.push_back({.kind = kind, .request = request, .reason = reason, .failure = failure});
}

bool Dispatcher::Commit(uint64_t id, TimePoint now) {
  const auto found = attempts_.find(id);
  if (found == attempts_.end()) return false;
  Open& open = requests_.at(found->second.request);
  if (open.committed) return true;
  open.committed = true;
  open.hedge_at = TimePoint::max();
  const std::vector<uint64_t> running = open.attempts;
  for (const uint64_t other : running) {
    if (other != id) Cancel(other);
  }
  EndTrial(id);
  // The prompt has been computed; the answer is still to come.
  Attempt& kept = attempts_.at(id);
  Replica& replica = replicas_[kept.replica];
  replica.outstanding_cost = std::max(0.0, replica.outstanding_cost - kept.cost + kept.expected);
  kept.cost = kept.expected;
  SendWaiting(now);  // a trial may have ended
  return true;
}

void Dispatcher::Succeed(uint64_t id, double output_tokens, TimePoint now) {
  if (!Commit(id, now)) return;
  const Attempt attempt = attempts_.at(id);
  Replica& replica = replicas_[attempt.replica];
  replica.breaker = AfterSuccess(options_.breaker, replica.breaker, false);
  ++replica.successes;
  budget_.OnSuccess();
  if (output_tokens > 0) mean_tokens_ += kNewest * (output_tokens - mean_tokens_);
  Release(id);
  requests_.erase(attempt.request);
  ++counts_.answered;
  SendWaiting(now);
}

/// A replica on trial that begins an answer is back.
void Dispatcher::EndTrial(uint64_t id) {
  const Attempt& attempt = attempts_.at(id);
  Replica& replica = replicas_[attempt.replica];
  if (attempt.trial == 0 || attempt.trial != replica.ejections) return;
  replica.trial = 0;
  replica.breaker = AfterSuccess(options_.breaker, replica.breaker, true);
}

bool Dispatcher::Reject(uint64_t id, TimePoint now) {
  if (!attempts_.contains(id)) return false;
  Succeed(id, 0, now);
  return true;
}

void Dispatcher::Fail(uint64_t id, AttemptFailure failure, milliseconds pause, TimePoint now) {
  const auto found = attempts_.find(id);
  if (found == attempts_.end()) return;  // it was cancelled
  const Attempt attempt = found->second;
  if (failure == AttemptFailure::kTooLarge) EndTrial(id);
  CountFailure(attempt, failure, pause, now);
  Release(id);
  Open& open = requests_.at(attempt.request);
  if (open.committed) {
    End(attempt.request, Kind::kBreak, DispatchRefusal::kLostMidStream, failure);
  } else {
    if (failure == AttemptFailure::kBusy) {
      ++open.sent_back;
    } else {
      open.tried |= uint64_t{1} << attempt.replica;
    }
    if (failure == AttemptFailure::kLost) ++open.losses;
    if (open.attempts.empty()) Retry(attempt.request, failure, attempt.trial != 0, now);
  }
  SendWaiting(now);
}

/// `was_trial`: the request was the one that found out whether a replica is back. That it could not
/// know is not its fault, and pauses bound the number of trials: the budget does not pay for it.
void Dispatcher::Retry(uint64_t request, AttemptFailure failure, bool was_trial, TimePoint now) {
  Open& open = requests_.at(request);
  if (open.losses >= options_.poison_losses && open.facts.digest != 0) {
    if (poison_.size() >= kMaxPoison) poison_.erase(poison_.begin());
    poison_[open.facts.digest] = now + options_.poison_time;
    return End(request, Kind::kRefuse, DispatchRefusal::kPoison, failure);
  }
  const bool is_last = open.sent - open.sent_back >= options_.max_attempts ||
                       open.sent_back >= 2 * options_.max_attempts;
  const bool is_final = failure == AttemptFailure::kLate || failure == AttemptFailure::kTooLarge;
  if (is_last || is_final || open.facts.deadline <= now) {
    return End(request, Kind::kRefuse, DispatchRefusal::kFailed, failure);
  }
  if (!MayWait(open) && !Pick(open, now)) {
    return End(request, Kind::kRefuse, DispatchRefusal::kFailed, failure);
  }
  if (was_trial) {
    ++counts_.trial_retries;
  } else if (!budget_.TryTake()) {
    return End(request, Kind::kRefuse, DispatchRefusal::kFailed, failure);
  }
  ++counts_.retries;
  Place(request, now);
}

void Dispatcher::Leave(uint64_t request, TimePoint now, ClientEnd end) {
  const auto found = requests_.find(request);
  if (found == requests_.end()) return;
  queue_.Remove(request);
  CancelAll(found->second);
  requests_.erase(found);
  switch (end) {
    case ClientEnd::kLeft:
      ++counts_.left;
      break;
    case ClientEnd::kTooSlow:
      ++counts_.too_slow;
      break;
    case ClientEnd::kStopped:
      ++counts_.stopped;
      break;
  }
  SendWaiting(now);
}

void Dispatcher::Hedge(TimePoint now) {
  for (auto& [id, open] : requests_) {
    if (open.hedge_at > now) continue;
    open.hedge_at = TimePoint::max();
    if (open.committed || open.attempts.size() != 1 ||
        open.sent - open.sent_back >= options_.max_attempts) {
      continue;
    }
    const auto replica = Pick(open, now);
    if (!replica || !budget_.TryTake()) continue;
    ++counts_.hedges;
    Send(id, open, *replica, now);
  }
}

std::vector<DispatchAction> Dispatcher::TakeActions() { return std::exchange(actions_, {}); }

}  // namespace emptor::services
