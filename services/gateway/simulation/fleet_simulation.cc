// Events in the order of their times: arrivals, steps of replicas, limits, faults, ticks.
#include "services/gateway/simulation/fleet_simulation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "services/bench/split_mix.h"

namespace emptor::services {
namespace {

using Kind = DispatchAction::Kind;
using Fault = ReplicaFault::Kind;
using TimePoint = Dispatcher::TimePoint;
using std::chrono::duration_cast;

constexpr double kConnectSeconds = 0.0005, kRefusedSeconds = 0.001, kProbeSeconds = 0.5;

TimePoint At(double seconds) {
  return TimePoint(duration_cast<TimePoint::duration>(std::chrono::duration<double>(seconds)));
}

class Simulation {
 public:
  Simulation(const std::vector<PlannedRequest>& requests, const FleetOptions& options)
      : plan_(requests),
        options_(options),
        random_(options.seed),
        dispatcher_(options.dispatch, options.settings, [this] { return random_.NextUnit(); }) {
    for (const ReplicaSpeed& speed : options.speeds) replicas_.emplace_back(speed);
    report_.served.resize(replicas_.size());
    report_.busy_seconds.resize(replicas_.size());
  }

  FleetReport Run();

 private:
  struct Event {
    double at = 0;
    uint64_t order = 0;
    std::function<void()> run;
    bool operator>(const Event& other) const {
      return std::pair(at, order) > std::pair(other.at, other.order);
    }
  };
  struct Client {
    enum class State { kOpen, kAnswered, kRefused, kBroken, kLeft };
    State state = State::kOpen;
    double arrived = 0, first_token = -1;
    uint64_t attempt = 0;  // whose tokens it gets
    int tokens = 0;
    int attempts = 0, sent_back = 0;
  };
  struct Attempt {
    uint64_t request = 0;
    size_t replica = 0;
    double last = 0;  // when something came
    int tokens = 0;   // that the replica has sent
  };
  struct Replica {
    explicit Replica(const ReplicaSpeed& speed) : model(speed) {}
    ReplicaModel model;
    bool stepping = false;
    uint64_t epoch = 0;  // steps of an earlier one are void
  };

  void Schedule(double at, std::function<void()> run) {
    events_.push({at, ++order_, std::move(run)});
  }
  void Arrive(uint64_t id);
  void Carry();
  void Begin(const DispatchAction& action);
  void Cancel(const DispatchAction& action);
  void EndRequest(uint64_t id, Client::State state);
  void Probe(size_t replica);
  void BeginFault(const ReplicaFault& fault);
  void EndFault(const ReplicaFault& fault);
  void StartStep(size_t replica);
  void FinishStep(size_t replica, uint64_t epoch);
  void TakeToken(size_t replica, uint64_t attempt, bool is_last);
  void FailAttempt(uint64_t attempt, AttemptFailure failure, double pause = 0);
  void WatchLimits(uint64_t attempt);
  void CheckSend(const DispatchAction& action);
  void CheckBudget();
  void CheckEnd();
  const ReplicaFault* FaultOf(size_t replica) const;
  void Violate(const std::string& what) {
    if (report_.violation.empty()) {
      report_.violation = "at " + std::to_string(now_) + " s: " + what;
    }
  }
  void Hash(uint64_t value) { report_.trace_hash = (report_.trace_hash ^ value) * 0x100000001b3u; }

  const std::vector<PlannedRequest>& plan_;
  const FleetOptions& options_;
  SplitMix random_;
  Dispatcher dispatcher_;
  std::vector<Replica> replicas_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  uint64_t order_ = 0;
  double now_ = 0;
  std::vector<Client> clients_;
  std::map<uint64_t, Attempt> attempts_;
  std::map<std::pair<uint64_t, size_t>, AttemptFailure> failed_;
  FleetReport report_;
};

const ReplicaFault* Simulation::FaultOf(size_t replica) const {
  for (const ReplicaFault& fault : options_.faults) {
    if (fault.replica == replica && fault.begin <= now_ && now_ < fault.end) return &fault;
  }
  return nullptr;
}

void Simulation::Arrive(uint64_t id) {
  const PlannedRequest& planned = plan_[id];
  DispatchRequest facts;
  facts.prompt_tokens = planned.input_tokens;
  facts.blocks = planned.prefix_blocks;
  facts.block_tokens = options_.block_tokens;
  facts.digest = id + 1;
  facts.patience =
      duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(options_.patience));
  facts.deadline = At(now_ + options_.deadline);
  if (options_.random_priorities) {
    facts.priority = static_cast<PriorityClass>(random_.Next() % 3);
  }
  clients_[id].arrived = now_;
  dispatcher_.Arrive(id, std::move(facts), At(now_));
  if (random_.NextUnit() < options_.leave_share) {
    Schedule(now_ + random_.NextUnit() * 10, [this, id] {
      if (clients_[id].state != Client::State::kOpen) return;
      EndRequest(id, Client::State::kLeft);
      dispatcher_.Leave(id, At(now_));
    });
  }
}

void Simulation::CheckSend(const DispatchAction& action) {
  Client& client = clients_[action.request];
  if (client.state != Client::State::kOpen) Violate("an attempt begins for a request that ended");
  const int most = options_.dispatch.max_attempts;
  if (++client.attempts - client.sent_back > most || client.sent_back > 2 * most) {
    Violate("too many attempts");
  }
  if (client.tokens > 0) Violate("an attempt begins after the first token");
  if (now_ > client.arrived + options_.deadline) Violate("an attempt begins after the deadline");
  const auto failed = failed_.find({action.request, action.replica});
  if (failed != failed_.end() && failed->second != AttemptFailure::kBusy) {
    Violate("an attempt is made twice at one replica");
  }
  const ReplicaStatus status = dispatcher_.StatusOf(action.replica, At(now_));
  if (status.outstanding > options_.settings[action.replica].max_outstanding) {
    Violate("a replica has more requests than it may have");
  }
  if (status.ejected && !status.on_trial) Violate("an ejected replica gets a request");
}

void Simulation::CheckBudget() {
  const DispatchCounts& counts = dispatcher_.counts();
  const RetryBudgetPolicy& policy = options_.dispatch.retries;
  const double allowed =
      policy.at_start + policy.per_success * static_cast<double>(counts.answered) + 1e-6;
  if (static_cast<double>(counts.retries - counts.trial_retries + counts.hedges) > allowed) {
    Violate("more attempts than the budget allows");
  }
}

void Simulation::Begin(const DispatchAction& action) {
  CheckSend(action);
  ++report_.served[action.replica];
  const uint64_t id = action.attempt;
  attempts_[id] = {.request = action.request, .replica = action.replica, .last = now_};
  Schedule(now_ + kConnectSeconds, [this, id] {
    const auto found = attempts_.find(id);
    if (found == attempts_.end()) return;
    const Attempt& attempt = found->second;
    const ReplicaFault* fault = FaultOf(attempt.replica);
    if (fault != nullptr) {
      if (fault->kind == Fault::kCrash) return FailAttempt(id, AttemptFailure::kUnreachable);
      if (fault->kind == Fault::kFailFast) return FailAttempt(id, AttemptFailure::kServerError);
      if (fault->kind == Fault::kBusy) return FailAttempt(id, AttemptFailure::kBusy, 1);
    }
    const PlannedRequest& planned = plan_[attempt.request];
    replicas_[attempt.replica].model.Add(id, planned.input_tokens, planned.output_tokens,
                                         planned.prefix_blocks, options_.block_tokens);
    WatchLimits(id);
    StartStep(attempt.replica);
  });
}

/// The gateway's own limits of time.
void Simulation::WatchLimits(uint64_t id) {
  const Attempt& attempt = attempts_.at(id);
  const double limit = attempt.tokens == 0 ? options_.first_byte_limit : options_.gap_limit;
  const double at = attempt.last + limit;
  if (at <= now_) return FailAttempt(id, AttemptFailure::kTimeout);
  Schedule(at, [this, id] {
    if (attempts_.contains(id)) WatchLimits(id);
  });
}

void Simulation::FailAttempt(uint64_t id, AttemptFailure failure, double pause) {
  const Attempt attempt = attempts_.at(id);
  attempts_.erase(id);
  replicas_[attempt.replica].model.Remove(id);
  failed_[{attempt.request, attempt.replica}] = failure;
  if (failure == AttemptFailure::kBusy) ++clients_[attempt.request].sent_back;
  dispatcher_.Fail(id, failure, std::chrono::milliseconds(static_cast<int>(pause * 1000)),
                   At(now_));
}

void Simulation::Cancel(const DispatchAction& action) {
  const auto found = attempts_.find(action.attempt);
  if (found == attempts_.end()) return Violate("an attempt is cancelled that does not run");
  replicas_[found->second.replica].model.Remove(action.attempt);
  failed_[{action.request, action.replica}] = AttemptFailure::kTimeout;
  attempts_.erase(found);
}

void Simulation::EndRequest(uint64_t id, Client::State state) {
  Client& client = clients_[id];
  if (client.state != Client::State::kOpen) return Violate("a request ends twice");
  client.state = state;
  switch (state) {
    case Client::State::kAnswered:
      ++report_.answered;
      report_.ttft.push_back(client.first_token - client.arrived);
      break;
    case Client::State::kRefused:
      ++report_.refused;
      break;
    case Client::State::kBroken:
      ++report_.broken;
      break;
    default:
      ++report_.left;
  }
}

/// Carries out what the dispatcher wants done.
void Simulation::Carry() {
  for (auto actions = dispatcher_.TakeActions(); !actions.empty();
       actions = dispatcher_.TakeActions()) {
    for (const DispatchAction& action : actions) {
      Hash(static_cast<uint64_t>(action.kind));
      Hash(action.request);
      Hash(action.attempt);
      Hash(action.replica);
      Hash(static_cast<uint64_t>(now_ * 1e6));
      switch (action.kind) {
        case Kind::kSend:
          Begin(action);
          break;
        case Kind::kCancel:
          Cancel(action);
          break;
        case Kind::kRefuse:
          if (clients_[action.request].tokens > 0) Violate("refused after the first token");
          EndRequest(action.request, Client::State::kRefused);
          break;
        case Kind::kBreak:
          EndRequest(action.request, Client::State::kBroken);
          break;
        case Kind::kProbe:
          Probe(action.replica);
          break;
      }
    }
  }
  CheckBudget();
}

void Simulation::Probe(size_t replica) {
  const ReplicaFault* fault = FaultOf(replica);
  const bool is_refused = fault != nullptr && fault->kind == Fault::kCrash;
  const bool is_silent = fault != nullptr && fault->kind == Fault::kStall;
  const double seconds = is_silent ? kProbeSeconds : kRefusedSeconds;
  Schedule(now_ + seconds, [this, replica, healthy = !is_refused && !is_silent] {
    dispatcher_.Probed(replica, healthy, At(now_));
  });
}

void Simulation::BeginFault(const ReplicaFault& fault) {
  Replica& replica = replicas_[fault.replica];
  if (fault.kind == Fault::kStall) ++replica.epoch;
  if (fault.kind != Fault::kCrash) return;
  ++replica.epoch;
  replica.stepping = false;
  std::vector<uint64_t> lost;
  for (const auto& [id, attempt] : attempts_) {
    if (attempt.replica == fault.replica && replica.model.Holds(id)) lost.push_back(id);
  }
  replica.model.Clear();
  for (const uint64_t id : lost) {
    if (attempts_.contains(id)) FailAttempt(id, AttemptFailure::kLost);
    Carry();
  }
}

void Simulation::EndFault(const ReplicaFault& fault) {
  if (fault.kind != Fault::kStall) return;
  replicas_[fault.replica].stepping = false;
  StartStep(fault.replica);
}

void Simulation::StartStep(size_t place) {
  Replica& replica = replicas_[place];
  const ReplicaFault* fault = FaultOf(place);
  if (replica.stepping || replica.model.idle()) return;
  if (fault != nullptr && fault->kind == Fault::kStall) return;
  replica.stepping = true;
  const double seconds = replica.model.PlanStep();
  report_.busy_seconds[place] += seconds;
  Schedule(now_ + seconds, [this, place, epoch = replica.epoch] { FinishStep(place, epoch); });
}

void Simulation::FinishStep(size_t place, uint64_t epoch) {
  Replica& replica = replicas_[place];
  if (epoch != replica.epoch) return;
  replica.stepping = false;
  const ReplicaStep step = replica.model.FinishStep();
  size_t ended = 0;
  for (const uint64_t id : step.tokens) {
    const bool is_last = ended < step.ended.size() && step.ended[ended] == id;
    if (is_last) ++ended;
    TakeToken(place, id, is_last);
    Carry();
  }
  StartStep(place);
}

void Simulation::TakeToken(size_t place, uint64_t id, bool is_last) {
  const auto found = attempts_.find(id);
  if (found == attempts_.end()) return;  // cancelled by an earlier token of this step
  Attempt& attempt = found->second;
  Client& client = clients_[attempt.request];
  if (client.state != Client::State::kOpen) Violate("work goes on after the end of a request");
  if (!dispatcher_.Commit(id, At(now_))) return Violate("an attempt runs on after its cancel");
  attempt.last = now_;
  if (client.attempt == 0) {
    client.attempt = id;
    client.first_token = now_;
  }
  if (client.attempt != id) Violate("a client gets tokens of two attempts");
  if (client.tokens != attempt.tokens) Violate("a token is lost or comes twice");
  ++client.tokens;
  ++attempt.tokens;
  const ReplicaFault* fault = FaultOf(place);
  if (fault != nullptr && fault->kind == Fault::kCutStreams && !is_last) {
    return FailAttempt(id, AttemptFailure::kLost);
  }
  if (!is_last) return;
  if (client.tokens != std::max(1, plan_[attempt.request].output_tokens)) {
    Violate("an answer is not whole");
  }
  const uint64_t request = attempt.request;
  attempts_.erase(id);
  EndRequest(request, Client::State::kAnswered);
  dispatcher_.Succeed(id, client.tokens, At(now_));
}

void Simulation::CheckEnd() {
  for (size_t id = 0; id < clients_.size(); ++id) {
    if (clients_[id].state == Client::State::kOpen) {
      return Violate("request " + std::to_string(id) + " never ends");
    }
  }
  if (!attempts_.empty() || dispatcher_.open_requests() > 0) Violate("work is left over");
  for (size_t i = 0; i < replicas_.size(); ++i) {
    const ReplicaStatus status = dispatcher_.StatusOf(i, At(now_));
    if (status.outstanding != 0 || status.outstanding_cost != 0) Violate("load is left over");
    if (!replicas_[i].model.idle()) Violate("a replica works on");
  }
  if (dispatcher_.counts().answered != report_.answered) Violate("answers are miscounted");
}

FleetReport Simulation::Run() {
  clients_.resize(plan_.size());
  for (size_t id = 0; id < plan_.size(); ++id) {
    Schedule(plan_[id].at_seconds, [this, id] { Arrive(id); });
  }
  for (const ReplicaFault& fault : options_.faults) {
    Schedule(fault.begin, [this, &fault] { BeginFault(fault); });
    Schedule(fault.end, [this, &fault] { EndFault(fault); });
  }
  uint64_t ended = 0;
  const auto count_ended = [this] {
    return report_.answered + report_.refused + report_.broken + report_.left;
  };
  while (ended < plan_.size() && report_.violation.empty()) {
    const TimePoint tick = dispatcher_.NextTick();
    if (!events_.empty() && At(events_.top().at) < tick) {
      Event event = events_.top();
      events_.pop();
      now_ = std::max(now_, event.at);
      event.run();
    } else if (tick != TimePoint::max()) {
      now_ = std::max(now_, std::chrono::duration<double>(tick.time_since_epoch()).count() + 1e-9);
      dispatcher_.Tick(At(now_));
    } else {
      break;
    }
    Carry();
    ended = count_ended();
  }
  if (report_.violation.empty()) CheckEnd();
  report_.requests = plan_.size();
  report_.seconds = now_;
  report_.counts = dispatcher_.counts();
  for (const Replica& one : replicas_) {
    report_.computed_prompt_tokens += one.model.computed_prompt_tokens();
    report_.output_tokens += one.model.output_tokens();
  }
  std::sort(report_.ttft.begin(), report_.ttft.end());
  return std::move(report_);
}

}  // namespace

double FleetReport::TtftAt(double quantile) const {
  if (ttft.empty()) return 0;
  const auto at = static_cast<size_t>(quantile * static_cast<double>(ttft.size()));
  return ttft[std::min(at, ttft.size() - 1)];
}

FleetReport SimulateFleet(const std::vector<PlannedRequest>& requests,
                          const FleetOptions& options) {
  return Simulation(requests, options).Run();
}

FleetReport SimulateSeed(uint64_t seed) {
  SplitMix random(seed);
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random.NextUnit() * (high - low + 1));
  };
  FleetOptions options;
  options.seed = random.Next();
  const int replicas = pick(1, 5);
  for (int i = 0; i < replicas; ++i) {
    ReplicaSpeed speed;
    speed.factor = pick(1, 4);
    speed.max_running = static_cast<size_t>(pick(2, 16));
    options.speeds.push_back(speed);
    options.settings.push_back({.capacity = double(pick(1, 4)),
                                .group = pick(0, 1),
                                .same_zone = pick(0, 3) > 0,
                                .max_outstanding = pick(2, 24)});
  }
  DispatchOptions& dispatch = options.dispatch;
  dispatch.pick.choices = pick(0, 1) * 2;
  dispatch.pick.affinity = pick(0, 1) == 1;
  dispatch.pick.balancing = pick(0, 4) == 0 ? Balancing::kRoundRobin : Balancing::kLeastOutstanding;
  dispatch.group_weights = {1, random.NextUnit()};
  dispatch.hedge_after = std::chrono::milliseconds(pick(0, 1) * pick(100, 1000));
  dispatch.max_waiting = static_cast<size_t>(pick(1, 64));
  dispatch.max_attempts = pick(1, 4);
  options.random_priorities = true;
  options.leave_share = random.NextUnit() * 0.3;
  options.first_byte_limit = 2 + 8 * random.NextUnit();
  options.gap_limit = 1 + 4 * random.NextUnit();
  options.patience = 0.1 + 5 * random.NextUnit();
  options.deadline = 5 + 30 * random.NextUnit();
  const double seconds = 20;
  for (int i = pick(0, 5); i > 0; --i) {
    const double begin = random.NextUnit() * seconds;
    options.faults.push_back({.kind = static_cast<Fault>(pick(0, 4)),
                              .replica = static_cast<size_t>(pick(0, replicas - 1)),
                              .begin = begin,
                              .end = begin + random.NextUnit() * 8});
  }
  LengthOptions lengths{.input_tokens = pick(20, 800), .output_tokens = pick(4, 60), .vary = 0.8};
  std::vector<PlannedRequest> plan =
      PlanPoisson(1 + random.NextUnit() * 12, seconds, lengths, random.Next());
  for (PlannedRequest& one : plan) {
    for (int i = pick(0, 3); i > 0; --i) {
      one.prefix_blocks.push_back(static_cast<uint64_t>(pick(1, 20)));
    }
  }
  options.block_tokens = 64;
  return SimulateFleet(plan, options);
}

}  // namespace emptor::services
