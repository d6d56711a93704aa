// The gateway: clients' requests to replicas and back. What goes where is decided by the
// dispatcher; this carries it out over HTTP.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/gateway/gateway_config.h"
#include "services/gateway/gateway_metrics.h"
#include "services/gateway/replica_answer.h"
#include "services/gateway/replica_pools.h"
#include "services/http/exchange.h"
#include "services/observability/metrics.h"

namespace emptor::services {

/// What one push to a client's stream holds at most: the largest event, what came before it, and
/// framing. A stream's queue holds as much and what a slow client may lag behind.
inline constexpr size_t kMaxPush = ReplicaStreamLimits{}.MaxPassed() + (132u << 10);
inline constexpr size_t kStreamQueueBytes = kMaxPush + (256u << 10);

/// One thread of its own owns the dispatcher's events and all connections to replicas; another
/// wakes it when something is due. Thread-safety: any thread. `metrics` outlives it.
class Gateway {
 public:
  /// Asks no replica: they may be away. `resolve` finds those of pools. Errors: of the replicas'
  /// keys.
  static absl::StatusOr<std::unique_ptr<Gateway>> Open(GatewayConfig config,
                                                       GatewayMetrics& metrics,
                                                       HostResolver resolve = ResolveHost);
  ~Gateway();  // as Stop

  /// Answers POST /v1/chat/completions, or /v1/completions.
  void Complete(std::shared_ptr<Exchange> exchange, bool chat);
  /// Answers GET /v1/models: all that a replica serves.
  void ListModels(Exchange& exchange) const;

  /// OK once a replica is up.
  absl::Status Readiness() const;
  std::vector<Sample> Samples() const;
  /// New requests are refused from now on.
  void Drain();
  /// Ends all connections to replicas. Idempotent.
  void Stop();

 private:
  struct Impl;
  explicit Gateway(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
