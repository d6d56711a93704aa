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

  /// What the replica lists. False: that is known already, or nobody is there. REQUIRES: its models
  /// are not configured.
  bool Set(size_t replica, std::vector<std::string> names);
  /// A server takes the place of a pool, or leaves it: what the one before it listed is void.
  void Seat(size_t replica, bool is_taken);
  /// Bit i: replica i serves the model; empty: any model. Replicas whose lists have not come yet
  /// count only where no other one is known to serve it, and free places of a pool only until the
  /// first list has come.
  uint64_t Serving(const std::string& model) const;
  /// The answer to GET /v1/models: the models of the replicas in `replicas`, and how many of them
  /// serve each.
  std::string ListJson(uint64_t replicas) const;

 private:
  mutable std::mutex mutex_;
  std::vector<bool> configured_;                                // the models, of each replica
  std::vector<std::optional<std::vector<std::string>>> names_;  // guarded by mutex_
  std::vector<bool> taken_;                                     // guarded by mutex_
};

}  // namespace emptor::services
