// Admin handlers.
#include "services/api/admin_routes.h"

#include <utility>

#include "services/api/api_errors.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;

constexpr const char* kPlain = "text/plain; charset=utf-8";

void RespondText(Exchange& exchange, int status, std::string content_type, std::string body) {
  Response response;
  response.status = status;
  response.content_type = std::move(content_type);
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

Route MakeReadinessRoute(const char* pattern, std::function<absl::Status()> readiness) {
  return {"GET", pattern, Access::kOpen,
          [readiness = std::move(readiness)](const ExchangePtr& exchange, std::string_view) {
            const absl::Status status = readiness();
            RespondText(*exchange, status.ok() ? 200 : 503, kPlain,
                        status.ok() ? "ready\n" : std::string(status.message()) + "\n");
          }};
}

}  // namespace

Route MakeHealthRoute(std::function<absl::Status()> readiness) {
  return MakeReadinessRoute("/health", std::move(readiness));
}

std::vector<Route> MakeAdminRoutes(const AdminRoutesParts& parts) {
  std::vector<Route> routes = {
      {"GET", "/healthz", Access::kOpen,
       [](const ExchangePtr& exchange, std::string_view) {
         RespondText(*exchange, 200, kPlain, "ok\n");
       }},
      MakeReadinessRoute("/readyz", parts.readiness),
      {"GET", "/metrics", Access::kMonitor,
       [metrics = parts.metrics](const ExchangePtr& exchange, std::string_view) {
         RespondText(*exchange, 200, "text/plain; version=0.0.4; charset=utf-8", metrics());
       }},
  };
  if (!parts.generator) return routes;
  routes.push_back({"GET", "/admin/generator", Access::kAdmin,
                    [generator = parts.generator](const ExchangePtr& exchange, std::string_view) {
                      RespondText(*exchange, 200, "application/json", generator());
                    }});
  return routes;
}

}  // namespace emptor::services
