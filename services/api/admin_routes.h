// The routes of the admin port: health, readiness, metrics.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "services/api/router.h"

namespace emptor::services {

struct AdminRoutesParts {
  std::function<absl::Status()> readiness;      // OK: send traffic
  std::function<std::string()> metrics;         // Prometheus text
  std::function<std::string()> generator = {};  // JSON; empty: there is no such route
};

/// /healthz: 200 while the process runs. /readyz: 200 when it should get traffic, otherwise 503
/// with the reason. /metrics: its metrics. /admin/generator: what phrases the answers.
std::vector<Route> MakeAdminRoutes(const AdminRoutesParts& parts);

/// /health, as /readyz: load balancers look for it on the port that they send to.
Route MakeHealthRoute(std::function<absl::Status()> readiness);

}  // namespace emptor::services
