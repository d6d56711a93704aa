// Routes of the admin port for whole shops.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "services/api/router.h"
#include "services/backup/backup_places.h"
#include "services/shop/shop_directory.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

struct ShopAdminOptions {
  BackupPlaces places = {};
  std::optional<std::vector<std::string>> image_hosts = {};  // as ShopRoutesOptions
  /// Called with the name of a shop that was deleted or serves another generation.
  std::function<void(const std::string& shop)> renew = {};
};

/// GET /admin/shops; of /admin/shops/{name}: GET and PUT pins, GET quarantine and image-hosts, POST
/// release, create, delete, reembed, rebuild (the body is the feed), rollback, backup (to one of
/// the places). Shops, workers and what `renew` uses outlive the routes.
std::vector<Route> MakeShopAdminRoutes(ShopDirectory& shops, WorkerPool& workers,
                                       const ShopAdminOptions& options);

}  // namespace emptor::services
