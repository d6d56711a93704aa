// The engine's gRPC service over the models of a process.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/models/model_registry.h"

namespace emptor::services {

/// Listens from Start on; the threads are gRPC's. Speaks grpc.health.v1 too.
/// Thread-safety: one thread starts and stops it.
class GrpcServer {
 public:
  /// `address`: "127.0.0.1:8090", port 0 for a free one. Errors: kUnavailable.
  static absl::StatusOr<std::unique_ptr<GrpcServer>> Start(const std::string& address,
                                                           ModelRegistry& models);
  ~GrpcServer();
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  int port() const;
  /// The answer to health checks.
  void SetServing(bool serving);
  /// Takes no new calls and cancels those that are left when the time is up. Idempotent.
  void Stop(std::chrono::milliseconds timeout);

 private:
  struct Impl;
  explicit GrpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
