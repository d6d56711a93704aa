// Handlers of the admin page.
#include "services/api/admin_page_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "services/api/api_errors.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;

struct ForwardedRoute {
  const char* method;
  const char* pattern;  // on the admin port
  const char* target;   // of the shop; with an open segment the query names an id
};

constexpr std::array<ForwardedRoute, 7> kForwarded = {{
    {"GET", "/admin/shops/{name}/jobs", "/v1/jobs"},
    {"DELETE", "/admin/shops/{name}/jobs", "/v1/jobs/{id}"},
    {"GET", "/admin/shops/{name}/dead-letters", "/v1/jobs/{id}/dead_letters"},
    {"GET", "/admin/shops/{name}/faq", "/v1/faq/entries"},
    {"PUT", "/admin/shops/{name}/faq", "/v1/faq/entries/{id}"},
    {"DELETE", "/admin/shops/{name}/faq", "/v1/faq/entries/{id}"},
    {"GET", "/admin/shops/{name}/faq-suggestions", "/v1/faq/suggestions"},
}};

void RespondFile(Exchange& exchange, const StaticFile* file) {
  if (file == nullptr) {
    return exchange.Respond(
        MakeErrorResponse(absl::NotFoundError("no such file"), exchange.request().id));
  }
  exchange.Respond(MakeFileResponse(*file, exchange.request(), {}));
}

}  // namespace

std::vector<Route> MakeAdminPageRoutes(const StaticFiles& pages) {
  const auto route = [&pages](const char* pattern, const char* folder) {
    return Route(
        "GET", pattern, Access::kOpen,
        [&pages, folder = std::string(folder)](const ExchangePtr& exchange, std::string_view name) {
          RespondFile(*exchange, pages.Find(folder + std::string(name)));
        });
  };
  return {route("/admin", "/admin"), route("/admin/assets/{file}", "/assets/"),
          route("/admin/assets/admin/{file}", "/assets/admin/")};
}

absl::StatusOr<std::vector<Route>> MakeForwardedRoutes(std::span<const Route> shop_routes,
                                                       const ForwardToShop& forward) {
  std::vector<Route> routes;
  for (const ForwardedRoute& each : kForwarded) {
    const auto found =
        std::find_if(shop_routes.begin(), shop_routes.end(), [&](const Route& route) {
          return route.method == each.method && route.pattern == each.target;
        });
    if (found == shop_routes.end()) {
      return absl::InternalError(fmt::format("no route {} {}", each.method, each.target));
    }
    const auto target = static_cast<size_t>(found - shop_routes.begin());
    const bool needs_id = std::string_view(each.target).find('{') != std::string_view::npos;
    routes.emplace_back(
        each.method, each.pattern, Access::kAdmin,
        [forward, target, needs_id](const ExchangePtr& exchange, std::string_view shop) {
          const std::string id(exchange->request().Query("id"));
          if (needs_id && id.empty()) {
            return exchange->Respond(MakeErrorResponse(
                absl::InvalidArgumentError("id: expected an id"), exchange->request().id));
          }
          forward(std::string(shop), target, exchange, id);
        });
  }
  return routes;
}

}  // namespace emptor::services
