// The admin page on the admin port, and routes of shops that it needs there: a page reaches its own
// origin alone.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/api/static_files.h"

namespace emptor::services {

/// GET /admin, /admin/assets/{file} and /admin/assets/admin/{file}: the page and its files, which
/// hold nothing of a shop and are open to anybody. The files outlive the routes.
std::vector<Route> MakeAdminPageRoutes(const StaticFiles& pages);

/// Hands a request to the route of a shop with that number. `tail` stands for the open segment of
/// its pattern.
using ForwardToShop =
    std::function<void(const std::string& shop, size_t route, std::shared_ptr<Exchange> exchange,
                       std::string_view tail)>;

/// Of /admin/shops/{name}: GET jobs and faq, faq-suggestions, dead-letters?id=; DELETE jobs?id=;
/// PUT and DELETE faq?id=. Each answers as the route of the shoppers' port that it forwards to.
/// `shop_routes`: those of every shop. Errors: kInternal, one of them is not there.
absl::StatusOr<std::vector<Route>> MakeForwardedRoutes(std::span<const Route> shop_routes,
                                                       const ForwardToShop& forward);

}  // namespace emptor::services
