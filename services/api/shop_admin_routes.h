// Routes of the admin port for whole shops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "services/api/router.h"
#include "services/backup/backup_places.h"
#include "services/shop/shop_directory.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// GET /admin/shops; of /admin/shops/{name}: GET and PUT pins, GET quarantine, POST release,
/// create, delete, reembed, rebuild (the body is the feed), rollback, backup (to one of the
/// places). `renew` is called
/// with the name of a shop that was deleted or serves another generation. Shops, workers and what
/// `renew` uses outlive the routes.
std::vector<Route> MakeShopAdminRoutes(ShopDirectory& shops, WorkerPool& workers,
                                       BackupPlaces places,
                                       const std::function<void(const std::string& shop)>& renew);

}  // namespace emptor::services
