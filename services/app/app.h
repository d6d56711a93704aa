// The running service: its parts, and the ports in front of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/app/config.h"

namespace emptor::services {

/// The running service. Thread-safety: one thread builds, waits and stops it.
class App {
 public:
  static absl::StatusOr<std::unique_ptr<App>> Start(const Config& config);
  /// Stops what still runs.
  ~App();

  /// Addresses as they are bound: "http://127.0.0.1:8080".
  const std::string& url() const;
  const std::string& admin_url() const;
  /// What the ports serve.
  const std::vector<Route>& routes() const;
  const std::vector<Route>& admin_routes() const;

  /// Readiness goes first; requests in flight may finish within drain_ms, late ones are ended with
  /// an error; then the ports close.
  void Stop();

 private:
  struct Impl;
  explicit App(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
