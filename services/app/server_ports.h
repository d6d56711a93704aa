// The two HTTP ports of a process that serves models: what clients call, and what operators call.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/app/access_policy.h"
#include "services/app/config.h"
#include "services/http/http_server.h"

namespace emptor::services {

struct ServerPortsOptions {
  std::string listen, admin_listen;  // "127.0.0.1:8080"
  bool access_log = false;
  size_t max_body_bytes = 8u << 20;  // of routes that take kLargestBody
  // Of the public port:
  int http_threads = 2;
  size_t max_streams = 2000;
  size_t max_stream_queue_bytes = 256u << 10;
  ErrorBody error_body = {};  // empty: the form of the API
  /// Called once a request, with the pattern of its route.
  std::function<void(const std::string& pattern, int status, double seconds)> count = {};
  /// Put around each exchange; null: nothing is.
  std::shared_ptr<Exchange> (*wrap)(std::shared_ptr<Exchange>) = nullptr;
};

/// Both servers with their routers. Thread-safety: that of HttpServer. What the routes use outlives
/// it, and so do the gates.
class ServerPorts {
 public:
  /// Opens the admin port, then the other one. Errors: of the addresses and of HttpServer::Start.
  static absl::StatusOr<std::unique_ptr<ServerPorts>> Open(const ServerPortsOptions& options,
                                                           std::vector<Route> routes,
                                                           std::vector<Route> admin_routes,
                                                           const AccessParts& access);
  ~ServerPorts();  // as Stop

  const std::string& url() const;
  const std::string& admin_url() const;
  const std::vector<Route>& routes() const;
  const std::vector<Route>& admin_routes() const;

  /// Of the public port.
  void RefuseNew();
  DrainReport Drain(std::chrono::milliseconds grace);
  /// Closes both ports. Idempotent.
  void Stop();

 private:
  struct Impl;
  explicit ServerPorts(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

/// "http://127.0.0.1:8080": where a server that got that address and port is reached.
std::string UrlOf(const ListenAddress& address, int port);

}  // namespace emptor::services
