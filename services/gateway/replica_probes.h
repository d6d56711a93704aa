// Questions to replicas beside the requests: whether they are well, and what they serve.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/client/http_streams.h"
#include "services/gateway/gateway_config.h"

namespace emptor::services {

/// Thread-safety: the thread of the streams, which end before it.
class ReplicaProbes {
 public:
  struct Callbacks {
    /// Why the replica is not well; OK: it is.
    std::function<void(size_t replica, const absl::Status& health)> on_health;
    /// What it lists, of replicas whose models are not configured. Errors: of the answer.
    std::function<void(size_t replica, absl::StatusOr<std::vector<std::string>> names)> on_models;
  };

  /// `keys` are those of the replicas. All outlive it.
  ReplicaProbes(const GatewayConfig& config, const std::vector<std::string>& keys,
                HttpStreams& streams, Callbacks callbacks);

  /// Asks for the health of a replica and, once it is well, for its models. Where `health_path` is
  /// the list of models, that is one question.
  void Ask(size_t replica);

 private:
  void Get(size_t replica, const std::string& path,
           std::function<void(absl::StatusOr<std::string> body)> done);
  void TakeHealth(size_t replica, const absl::StatusOr<std::string>& body);

  const GatewayConfig& config_;
  const std::vector<std::string>& keys_;
  HttpStreams& streams_;
  const Callbacks callbacks_;
  std::vector<bool> listing_;  // the models are asked for now
};

}  // namespace emptor::services
