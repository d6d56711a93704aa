// Asks replicas whether they are well, and what they serve.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/client/http_streams.h"
#include "services/gateway/fleet.h"

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

  ReplicaProbes(const Fleet& fleet, HttpStreams& streams, Callbacks callbacks);

  /// Asks for the health of a replica and, once it is well, for its models. Where `health_path` is
  /// the list of models, that is one question.
  void Ask(size_t replica);
  /// Answers to what was asked until now are void: another server has come.
  void Forget(size_t replica);

 private:
  void Get(size_t replica, const std::string& path,
           std::function<void(absl::StatusOr<std::string> body)> done);
  void TakeHealth(size_t replica, const absl::StatusOr<std::string>& body);

  const Fleet& fleet_;
  HttpStreams& streams_;
  const Callbacks callbacks_;
  std::vector<bool> listing_;        // a request for the replica's models is under way
  std::vector<uint64_t> questions_;  // counts what Forget has made void
};

}  // namespace emptor::services
