// What the gateway holds, for the files that implement it: gateway.cc (requests) and
// gateway_replicas.cc (the fleet).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "services/client/http_streams.h"
#include "services/gateway/completion_call.h"
#include "services/gateway/fleet.h"
#include "services/gateway/gateway.h"
#include "services/gateway/gateway_errors.h"
#include "services/gateway/model_table.h"
#include "services/gateway/replica_attempt.h"
#include "services/gateway/replica_probes.h"
#include "services/gateway/ticker.h"

namespace emptor::services {

/// A client's request. Loop thread only, but for `end`.
struct GatewayCall {
  std::shared_ptr<Exchange> exchange;
  CompletionCall facts;
  Dispatcher::TimePoint arrived{}, deadline{};
  std::shared_ptr<StreamSink> sink;  // from the first event on
  FailureDetail last;                // of the attempt that failed last
  std::atomic<ClientEnd> end{ClientEnd::kLeft};
};

struct Gateway::Impl {
  using Call = GatewayCall;
  using TimePoint = Dispatcher::TimePoint;

  Impl(GatewayConfig given, GatewayMetrics& the_metrics);

  GatewayMetrics& metrics;
  Fleet fleet;
  const GatewayConfig& config = fleet.config;
  ModelTable models;

  mutable std::mutex mutex;
  Dispatcher dispatcher;  // guarded by mutex
  bool was_up = false;    // a probe has succeeded; guarded by mutex

  // Of the loop thread alone:
  std::unordered_map<uint64_t, std::shared_ptr<Call>> calls;
  std::unordered_map<uint64_t, std::shared_ptr<ReplicaAttempt>> attempts;
  uint64_t next_request = 1;
  std::vector<bool> unreadable;       // the list of models of each replica
  std::vector<bool> unresolved;       // the host of each pool
  std::vector<size_t> without_place;  // addresses of each pool, when it was resolved last
  ReplicaProbes probes;
  std::atomic<bool> stopping{false};

  HttpStreams streams;  // its thread is the loop; ends before what its handlers use
  // These end first:
  Ticker ticker{[this] {
    streams.Run([this] { Decide([](Dispatcher& to, TimePoint now) { to.Tick(now); }); });
  }};
  std::unique_ptr<PoolWatcher> watcher;

  template <typename Event>
  void Decide(Event event);
  void CarryOut(const DispatchAction& action);

  void Arrive(const std::shared_ptr<Exchange>& exchange, CompletionCall facts);
  void Send(const DispatchAction& action);
  HttpStreamCall CallOf(const Call& call, size_t replica) const;
  void Probed(size_t replica, const absl::Status& health);
  void Listed(size_t replica, absl::StatusOr<std::vector<std::string>> names);
  void Resolved(size_t pool, absl::StatusOr<std::vector<std::string>> addresses);
  void SeatAt(size_t place, const std::string& address);
  void UpdateServing(Dispatcher& to) const;
  void Leave(uint64_t request, ClientEnd end);
  bool PassOn(uint64_t request, uint64_t attempt, size_t replica, std::string_view events);
  /// Null: the client has gone.
  std::shared_ptr<StreamSink> OpenSink(uint64_t request, const std::shared_ptr<Call>& call,
                                       size_t replica);
  void EndAttempt(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end);
  void Answer(uint64_t request, uint64_t attempt, size_t replica, AttemptEnd end);
  Response ResponseOf(AttemptEnd& end, size_t replica, const std::string& request_id) const;
  void Refuse(const DispatchAction& action);
};

/// Gives the dispatcher an event and carries out what follows from it. Loop thread.
template <typename Event>
void Gateway::Impl::Decide(Event event) {
  std::vector<DispatchAction> actions;
  TimePoint next;
  {
    const std::lock_guard lock(mutex);
    event(dispatcher, std::chrono::steady_clock::now());
    actions = dispatcher.TakeActions();
    next = dispatcher.NextTick();
  }
  for (const DispatchAction& action : actions) CarryOut(action);
  ticker.Arm(next);
}

}  // namespace emptor::services
