// The description of the API, as GET /openapi.json serves it.
#pragma once

#include <string_view>

namespace emptor::services {

/// OpenAPI 3.1, JSON: services/api/openapi.json, embedded when the executable is built.
std::string_view OpenApiText();

}  // namespace emptor::services
