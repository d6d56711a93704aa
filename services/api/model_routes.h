// Models on the admin port: which there are, load, unload, activate, watch.
#pragma once

#include <vector>

#include "catalog/encoding/json.h"
#include "services/api/router.h"
#include "services/models/model_registry.h"

namespace emptor::services {

/// GET /admin/models, GET /admin/models/{name}/status, POST /admin/models/{name}/activate, /load
/// and /unload. What takes time is begun and answered 202 with the status, which tells the rest.
std::vector<Route> MakeModelRoutes(ModelRegistry& registry);

/// One model as an object.
void WriteModelStatus(const ModelStatus& status, catalog::JsonWriter& writer);

}  // namespace emptor::services
