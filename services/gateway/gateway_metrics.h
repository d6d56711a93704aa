// What an operator sees of the gateway, as Prometheus text. No label holds a client's words.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "services/gateway/balancing/dispatcher.h"
#include "services/observability/metrics.h"

namespace emptor::services {

/// Thread-safety: every method from any thread.
class GatewayMetrics {
 public:
  GatewayMetrics();
  ~GatewayMetrics();
  GatewayMetrics(const GatewayMetrics&) = delete;
  GatewayMetrics& operator=(const GatewayMetrics&) = delete;

  /// `route` is the pattern of the route, never the path.
  void CountRequest(const std::string& route, int status, double seconds);
  /// From the request to the first text at the client, retries included.
  void ObserveFirstToken(const std::string& replica, double seconds);
  /// `kind`: "lost", "timeout", ...
  void CountFailure(const std::string& replica, const char* kind);
  void CountDnsFailure(const std::string& pool);
  /// `reason`: "overloaded", "no_replica", ...
  void CountRefusal(const char* reason);

  /// These and `samples`.
  std::string Text(const std::vector<Sample>& samples) const;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

/// State and counters of the dispatcher, and of its replicas under their names.
std::vector<Sample> DispatchSamples(const Dispatcher& dispatcher,
                                    const std::vector<std::string>& names,
                                    Dispatcher::TimePoint now);

}  // namespace emptor::services
