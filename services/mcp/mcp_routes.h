// The endpoint of the Model Context Protocol: a shop's products, policies and assistant as tools.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "services/api/router.h"
#include "services/assistant/assistant.h"
#include "services/faq/faq_answers.h"
#include "services/shop/shop_reader.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// References are borrowed and outlive the routes.
struct McpRoutesParts {
  const ShopReader& shop;
  Assistant& assistant;
  WorkerPool& workers;
  std::function<int64_t()> now_unix;
  std::string shop_name = {};
  std::string public_url = {};  // as ShopRoutesOptions
  // For metrics; may be empty. Those of searches and look-ups are the same as of other routes.
  std::function<void(double seconds)> on_search = {};
  std::function<void(const FaqReply&, double seconds)> on_lookup = {};
  /// `tool`: its name, or "other".
  std::function<void(std::string_view tool, bool is_error)> on_call = {};
};

/// POST /mcp, which keeps no session: docs/mcp.md.
std::vector<Route> MakeMcpRoutes(const McpRoutesParts& parts);

}  // namespace emptor::services
