// The routes of the admin port: health, readiness, metrics.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "services/api/router.h"

namespace emptor::services {

struct AdminRoutesParts {
  std::function<absl::Status()> readiness;  // OK: send traffic
  std::function<std::string()> metrics;     // Prometheus text
};

/// /healthz says that the process runs; /readyz that it should get traffic (503 otherwise, with the
/// reason); /metrics what it counts.
std::vector<Route> MakeAdminRoutes(const AdminRoutesParts& parts);

}  // namespace emptor::services
