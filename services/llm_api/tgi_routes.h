// The routes of text-generation-inference (TGI), for clients that speak its schema.
#pragma once

#include <vector>

#include "services/llm_api/openai_routes.h"

namespace emptor::services {

/// POST /generate, POST /generate_stream, POST / (either, by "stream") and GET /info, all on the
/// active model.
std::vector<Route> MakeTgiRoutes(const LlmRoutesParts& parts);

}  // namespace emptor::services
