// The admin page on the admin port, and routes of shops that it needs there: a page reaches its own
// origin alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/api/router.h"
#include "services/api/static_files.h"

namespace emptor::services {

/// GET /admin, /admin/assets/{file} and /admin/assets/admin/{file}: the page and its files, which
/// hold nothing of a shop and are open to anybody. The files outlive the routes.
std::vector<Route> MakeAdminPageRoutes(const StaticFiles& pages);

/// Hands a request to the route of a shop with that method and pattern, which is one of the
/// shoppers' port. `tail` stands for the open segment of the pattern.
using ForwardToShop =
    std::function<void(const std::string& shop, std::string_view method, std::string_view pattern,
                       std::shared_ptr<Exchange> exchange, std::string_view tail)>;

/// Of /admin/shops/{name}: GET jobs and faq, faq-suggestions, dead-letters?id=; DELETE jobs?id=;
/// PUT and DELETE faq?id=. Each answers as the route of the shoppers' port that it forwards to.
std::vector<Route> MakeForwardedRoutes(const ForwardToShop& forward);

}  // namespace emptor::services
