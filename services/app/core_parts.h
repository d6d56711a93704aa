// What the ports of the app take from a ShopCore. Used by app/ alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "services/app/app.h"
#include "services/models/model_registry.h"
#include "services/observability/metrics.h"

namespace emptor::services {

/// From here on the shops are served: none is held beside the services (shop_service.h).
void ServeShops(ShopCore& core);
ShopDirectory& CoreShops(ShopCore& core);
std::unique_ptr<Assistant> MakeShopAssistant(ShopCore& core, const std::string& name,
                                             const Shop& shop, ConversationStore& conversations);
Metrics& CoreMetrics(ShopCore& core);
ModelRegistry& CoreModels(ShopCore& core);
/// All of /metrics.
std::string CoreMetricsText(const ShopCore& core);
WorkerPool& CoreWorkers(ShopCore& core);
/// Samples of the HTTP servers, for /metrics. REQUIRES: called before metrics are first asked for.
void SetHttpSamples(ShopCore& core, std::function<std::vector<Sample>()> samples);

}  // namespace emptor::services
