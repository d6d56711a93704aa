// `emptor engine serve`: models behind OpenAI, TGI and gRPC, without a shop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/app/config.h"

namespace emptor::services {

struct EngineServerOptions {
  /// `listen` is the HTTP address; model, embedder, models, admin_listen, the engine's limits and
  /// drain_ms count too.
  Config config;
  std::string grpc_listen;  // empty: no gRPC
};

/// The running server. Thread-safety: one thread builds, waits and stops it.
class EngineServer {
 public:
  /// Opens the ports, then loads: meanwhile requests are answered 503. Errors: of the ports, and of
  /// the active model or embedder when it cannot be loaded.
  static absl::StatusOr<std::unique_ptr<EngineServer>> Start(const EngineServerOptions& options);
  ~EngineServer();

  const std::string& url() const;
  const std::string& admin_url() const;
  int grpc_port() const;  // 0: none
  /// What the HTTP ports serve.
  const std::vector<Route>& routes() const;
  const std::vector<Route>& admin_routes() const;

  /// Readiness goes first; new requests are refused, those in flight may finish within drain_ms,
  /// late ones are ended with an error; then the ports close.
  void Stop();

 private:
  struct Impl;
  explicit EngineServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
