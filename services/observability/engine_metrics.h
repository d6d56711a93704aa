// Metrics of the engine behind all its APIs, with the semantics of vLLM's metrics and our prefix:
// inference gateways and dashboards read running, waiting, KV use and latencies per model.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "services/models/language_model.h"
#include "services/models/model_registry.h"
#include "services/observability/metrics.h"

namespace emptor::services {

/// Histograms and ends of answers by model, and the requests of an engine server.
/// Thread-safety: every method from any thread.
class EngineMetrics {
 public:
  EngineMetrics();
  ~EngineMetrics();
  EngineMetrics(const EngineMetrics&) = delete;
  EngineMetrics& operator=(const EngineMetrics&) = delete;

  void Observe(const GenerationRecord& record);
  /// `route` is the pattern of the route, never the path.
  void CountRequest(const std::string& route, int status, double seconds);

  /// Prometheus text of these and of `samples`.
  std::string Text(const std::vector<Sample>& samples) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Counters and gauges of every model that is loaded, labelled `model_name`, and the states of all.
std::vector<Sample> EngineSamples(const ModelRegistry& registry);

/// The gauges and counters that inference gateways read, under vLLM's names.
std::vector<Sample> GatewaySamples(const ModelRegistry& registry);

}  // namespace emptor::services
