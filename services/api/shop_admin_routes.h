// Routes of the admin port that concern whole shops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "services/api/router.h"
#include "services/assistant/worker_pool.h"
#include "services/ingest/shop_directory.h"

namespace emptor::services {

/// GET /admin/shops, GET /admin/shops/{name}/quarantine, POST /admin/shops/{name}/release, and POST
/// /admin/shops/{name}/create, delete, reembed, rebuild (the body is the feed), rollback, backup.
/// `forget` is told the name of a shop that was deleted. All are borrowed and outlive the routes.
std::vector<Route> MakeShopAdminRoutes(ShopDirectory& shops, WorkerPool& workers,
                                       std::function<void(const std::string& shop)> forget);

}  // namespace emptor::services
