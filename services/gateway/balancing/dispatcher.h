// What the gateway does with requests, as a machine of events and actions in virtual time: the
// gateway's process and the simulation drive the same one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "services/gateway/balancing/admission_queue.h"
#include "services/gateway/balancing/pick_replica.h"
#include "services/gateway/balancing/prefix_table.h"
#include "services/gateway/balancing/replica_breaker.h"
#include "services/gateway/balancing/retry_budget.h"

namespace emptor::services {

inline constexpr size_t kMaxReplicas = 64;

/// A replica as the settings describe it.
struct ReplicaSetting {
  double capacity = 1;
  int group = 0;
  bool same_zone = true;
  int max_outstanding = 64;
  bool present = true;  // false: until SetPresent
};

struct DispatchOptions {
  PickPolicy pick = {};
  BreakerPolicy breaker = {};
  RetryBudgetPolicy retries = {};
  std::vector<double> group_weights = {1};
  /// Of a request. Those that a busy replica sends back at once count apart, up to twice as many.
  int max_attempts = 3;
  std::chrono::milliseconds hedge_after{0};  // without a first byte; 0: never
  size_t max_waiting = 256;
  std::chrono::milliseconds probe_interval{1000};
  int failed_probes = 2;  // in a row: the replica is down
  /// A request that was lost with this many replicas is not sent again, for so long.
  int poison_losses = 2;
  std::chrono::seconds poison_time{600};
  size_t prefix_blocks = 1u << 16;  // remembered of each replica
  double expected_tokens = 128;     // of an answer, until answers have shown otherwise
};

/// What the choice of a replica needs to know of a request.
struct DispatchRequest {
  double prompt_tokens = 0;
  double max_tokens = 0;              // of the answer; 0: not limited
  std::vector<uint64_t> blocks = {};  // of the prompt, as PromptBlocks names them
  double block_tokens = 0;            // of each of them
  uint64_t session = 0;               // 0: none
  uint64_t digest = 0;                // of the whole request; 0: unknown
  PriorityClass priority = PriorityClass::kStandard;
  bool may_hedge = true;  // its first byte comes before its last: silence tells something
  uint64_t replicas = ~uint64_t{0};                  // bit i: replica i serves its model
  std::chrono::milliseconds patience{10000};         // for a place, each time that it needs one
  std::chrono::steady_clock::time_point deadline{};  // no attempt begins after it
};

/// How an attempt failed.
enum class AttemptFailure {
  kUnreachable,  // no connection: the replica has seen nothing
  kLost,         // the connection ended before the answer did
  kTimeout,
  kBadAnswer,    // what came is no answer of the protocol
  kServerError,  // 5xx
  kBusy,         // 429 or 503: the replica asks for a pause
  kLate,         // the request's own time was over while the replica worked: not its fault
  kTooLarge,     // the answer is larger than the gateway takes: not its fault, and not retried
};

/// Why a request ends that neither was answered nor failed at a replica.
enum class ClientEnd {
  kLeft,     // the client closed the connection
  kTooSlow,  // it did not read
  kStopped,  // the gateway stops
};

/// Why a request ends without an answer, or without the rest of it.
enum class DispatchRefusal {
  kNone,
  kOverloaded,  // shed, or waited too long
  kNoReplica,   // none is up that serves the model
  kFailed,      // the last attempt failed, and there is no other
  kPoison,      // it was lost with several replicas
  kDraining,
  kLostMidStream,  // after the first byte
};

struct DispatchAction {
  enum class Kind {
    kSend,    // the attempt begins at `replica`
    kCancel,  // the attempt is ended, and reports nothing more
    kRefuse,  // the request ends before its first byte
    kBreak,   // the request ends after its first byte, with an error
    kProbe,   // ask `replica` for its health
  };
  Kind kind = Kind::kSend;
  uint64_t request = 0, attempt = 0;
  size_t replica = 0;
  DispatchRefusal reason = DispatchRefusal::kNone;
  AttemptFailure failure = AttemptFailure::kLost;  // the last one, of kFailed and kLostMidStream
};

/// State and counters of a replica, for metrics and tests.
struct ReplicaStatus {
  Availability availability = Availability::kUp;
  bool present = true;  // in the fleet
  bool healthy = true;  // by the probes
  bool ejected = false;
  bool on_trial = false;
  int outstanding = 0;
  double outstanding_cost = 0;
  uint64_t attempts = 0, successes = 0, failures = 0, ejections = 0;
};

struct DispatchCounts {
  uint64_t requests = 0, attempts = 0, retries = 0, hedges = 0;
  uint64_t trial_retries = 0;  // of the retries: after a failed trial, not paid by the budget
  uint64_t answered = 0, refused = 0, broken = 0, left = 0;  // requests by their end
  uint64_t too_slow = 0, stopped = 0;                        // and by ClientEnd
  uint64_t prompt_tokens = 0, cached_tokens = 0;             // of attempts; by the prefix table
};

/// Owns no connection and reads no clock. Each event may add actions, which the caller carries out
/// in order. Every request that arrives ends once: by Succeed, Reject, kRefuse, kBreak or Leave.
/// REQUIRES: times do not go back; ids are not used twice. Thread-safety: one thread.
class Dispatcher {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// `random` is in [0, 1).
  Dispatcher(DispatchOptions options, std::vector<ReplicaSetting> replicas,
             std::function<double()> random);

  void Arrive(uint64_t request, DispatchRequest facts, TimePoint now);
  /// The first byte for the client has come: the attempt is the one that answers, and others are
  /// cancelled. False: the attempt was cancelled; nothing of it may reach the client.
  bool Commit(uint64_t attempt, TimePoint now);
  /// The whole answer has come, and that of `output_tokens`. Commits.
  void Succeed(uint64_t attempt, double output_tokens, TimePoint now);
  /// The replica refuses the request itself (400, 404, ...), and its answer goes to the client: the
  /// request has ended, and the replica is well. False: the attempt was cancelled.
  bool Reject(uint64_t attempt, TimePoint now);
  /// `pause`: what the replica asks for; 0: nothing.
  void Fail(uint64_t attempt, AttemptFailure failure, std::chrono::milliseconds pause,
            TimePoint now);
  /// The client gets nothing more.
  void Leave(uint64_t request, TimePoint now, ClientEnd end = ClientEnd::kLeft);
  void Probed(size_t replica, bool healthy, TimePoint now);
  /// A replica joins the fleet, and gets requests once a probe has found it well, for which those
  /// that no other one takes wait; or it leaves: it gets no more, and those that it has go on while
  /// probes find it well.
  /// REQUIRES: one that joins has none.
  void SetPresent(size_t replica, bool present, TimePoint now);
  /// `serving` gives the replicas that serve the model of each open request, for attempts that
  /// begin from the next event on.
  void SetServing(const std::function<uint64_t(uint64_t request)>& serving);
  /// What is due: deadlines, hedges, probes, trials.
  void Tick(TimePoint now);
  /// New requests are refused from now on.
  void Drain() { draining_ = true; }

  /// When Tick has something to do.
  TimePoint NextTick() const;
  /// The actions since the last call.
  std::vector<DispatchAction> TakeActions();

  /// True when a replica that serves such requests is up.
  bool CanServe(uint64_t replicas, TimePoint now) const;
  size_t open_requests() const { return requests_.size(); }
  size_t waiting() const { return queue_.size(); }
  const DispatchCounts& counts() const { return counts_; }
  double retry_budget() const { return budget_.level(); }
  ReplicaStatus StatusOf(size_t replica, TimePoint now) const;

 private:
  struct Replica {
    ReplicaSetting setting;
    BreakerState breaker;
    TimePoint busy_until{}, next_probe{};
    int failed_probes = 0;
    bool present = true, healthy = true, probing = false;
    bool is_new = false;      // it has joined, and no probe has ended yet
    uint64_t trial = 0;       // the latest attempt on trial; 0: none
    TimePoint trial_until{};  // another one may begin then
    int outstanding = 0;
    double outstanding_cost = 0;
    uint64_t attempts = 0, successes = 0, failures = 0, ejections = 0;

    bool is_probed() const { return present || outstanding > 0; }
  };
  struct Open {
    DispatchRequest facts = {};
    std::vector<uint64_t> attempts = {};  // that run
    uint64_t tried = 0;                   // bit i: it failed at replica i
    int sent = 0, sent_back = 0, losses = 0;
    bool committed = false;
    TimePoint hedge_at = TimePoint::max();
  };
  struct Attempt {
    uint64_t request = 0;
    size_t replica = 0;
    double cost = 0;      // counted in the replica's
    double expected = 0;  // of it, tokens of the answer
    uint64_t trial = 0;   // the ejection of the replica that it may end; 0: none
  };

  Availability AvailabilityAt(const Replica& replica, TimePoint now) const;
  std::vector<ReplicaView> ViewFor(const Open& open, TimePoint now) const;
  std::optional<size_t> Pick(const Open& open, TimePoint now);
  double ExpectedTokens(const DispatchRequest& facts) const;
  void Send(uint64_t request, Open& open, size_t replica, TimePoint now);
  /// Sends it, lets it wait, or refuses it.
  void Place(uint64_t request, TimePoint now);
  bool MayWait(const Open& open) const;
  uint64_t Takers(TimePoint now) const;
  void SendWaiting(TimePoint now);
  void Retry(uint64_t request, AttemptFailure failure, bool was_trial, TimePoint now);
  void Hedge(TimePoint now);
  void CountFailure(const Attempt& attempt, AttemptFailure failure, std::chrono::milliseconds pause,
                    TimePoint now);
  void FailOver(size_t replica, TimePoint now);
  void ProbedAfterLeaving(size_t replica, bool healthy, TimePoint now);
  void EndTrial(uint64_t attempt);
  void Release(uint64_t attempt);
  void Cancel(uint64_t attempt);
  void CancelAll(Open& open);
  void End(uint64_t request, DispatchAction::Kind kind, DispatchRefusal reason,
           AttemptFailure failure = AttemptFailure::kLost);
  bool MayEject() const;

  const DispatchOptions options_;
  const std::function<double()> random_;
  std::vector<Replica> replicas_;
  PrefixTable prefixes_;
  RetryBudget budget_;
  AdmissionQueue queue_;
  std::unordered_map<uint64_t, Open> requests_;
  std::unordered_map<uint64_t, Attempt> attempts_;
  std::unordered_map<uint64_t, TimePoint> poison_;  // until then, by digest
  std::vector<DispatchAction> actions_;
  DispatchCounts counts_;
  double mean_tokens_;
  uint64_t next_attempt_ = 1, turn_ = 0;
  bool draining_ = false;
  TimePoint last_tick_{};
};

}  // namespace emptor::services
