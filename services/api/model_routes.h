// Models on the admin port: list, load, unload, activate, watch.
#pragma once

#include <vector>

#include "catalog/encoding/json.h"
#include "services/api/router.h"
#include "services/models/model_registry.h"

namespace emptor::services {

/// GET /admin/models, GET /admin/models/{name}/status, POST /admin/models/{name}/activate, /load
/// and /unload. A long operation is started and answered 202 with the status.
std::vector<Route> MakeModelRoutes(ModelRegistry& registry);

/// One model as an object.
void WriteModelStatus(const ModelStatus& status, catalog::JsonWriter& writer);

}  // namespace emptor::services
