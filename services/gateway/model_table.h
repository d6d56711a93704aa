// Which models the replicas of a fleet serve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "services/gateway/gateway_config.h"

namespace emptor::services {

/// Thread-safety: any thread.
class ModelTable {
 public:
  /// Replicas without `models` in the settings serve what they list.
  explicit ModelTable(const GatewayConfig& config);

  /// What the replica lists. REQUIRES: its models are not configured.
  void Set(size_t replica, std::vector<std::string> names);
  /// Another server has come in place of the replica. REQUIRES: as Set.
  void Forget(size_t replica);
  /// Bit i: replica i serves the model; empty: any model. Replicas whose lists have not come yet
  /// count only where no other one is known to serve it.
  uint64_t Serving(const std::string& model) const;
  /// The answer to GET /v1/models: the models of the replicas in `replicas`, and how many of them
  /// serve each.
  std::string ListJson(uint64_t replicas) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::optional<std::vector<std::string>>> names_;  // guarded by mutex_
};

}  // namespace emptor::services
