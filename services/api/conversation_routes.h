// Routes of a shopper's conversations: list, read, rename, export, erase.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "services/api/router.h"
#include "services/assistant/dialogue/conversation_store.h"
#include "services/shop/shop_reader.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// References are borrowed and outlive the routes.
struct ConversationRoutesParts {
  const ShopReader& shop;
  ConversationStore& conversations;
  WorkerPool& workers;
  std::function<int64_t()> now_unix;
  std::string shop_name = {};
  std::string public_url = {};  // as ShopRoutesOptions
};

/// GET /v1/conversations; GET, PATCH and DELETE /v1/conversations/{id}; GET
/// /v1/conversations/{id}/export. docs/conversations.md.
std::vector<Route> MakeConversationRoutes(const ConversationRoutesParts& parts);

}  // namespace emptor::services
