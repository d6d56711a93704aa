// `emptor gateway serve`: the gateway behind its ports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/gateway/gateway_config.h"
#include "services/gateway/replica_pools.h"

namespace emptor::services {

/// What else would keep a gateway from its work: addresses that are none, keys and certificates
/// that cannot be read, once for each entry of `file`. The network is not asked.
std::vector<absl::Status> CheckGatewayConfig(const GatewayConfig& config, const std::string& file);

/// The running server. Thread-safety: one thread builds and stops it.
class GatewayServer {
 public:
  /// Opens the ports; replicas may be away. Errors: of the ports, the keys, and of addresses that
  /// other machines reach while there are no keys for them.
  static absl::StatusOr<std::unique_ptr<GatewayServer>> Start(const GatewayConfig& config,
                                                              HostResolver resolve = ResolveHost);
  ~GatewayServer();

  const std::string& url() const;
  const std::string& admin_url() const;

  /// Readiness goes first; new requests are refused, those in flight may finish within drain_ms,
  /// late ones are ended with an error; then the ports close.
  void Stop();

 private:
  struct Impl;
  explicit GatewayServer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
