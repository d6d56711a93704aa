// The pages that the service writes from records: /p/{id} and /c/{category}.
#pragma once

#include <vector>

#include "services/api/router.h"
#include "services/api/shop_routes.h"

namespace emptor::services {

/// Options and parts as of the shop's other routes.
std::vector<Route> MakeStorefrontRoutes(const ShopRoutesOptions& options,
                                        const ShopRoutesParts& parts);

/// Where the pages of a shop may load pictures from.
ContentPolicy PagePolicy(const ShopRoutesOptions& options, const ShopReader& shop);

}  // namespace emptor::services
