// What shoppers report of answers and products, and what operators see of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/assistant/dialogue/conversation_store.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// References are borrowed and outlive the routes.
struct ActivityRoutesParts {
  ConversationStore& conversations;
  WorkerPool& workers;
  std::function<int64_t()> now_unix;
  std::string shop_name = {};
  // For metrics; may be empty.
  std::function<void(ShopperEvent, Attribution)> on_event = {};
  std::function<void(bool is_up)> on_rating = {};
};

/// POST /v1/feedback, POST /v1/events. docs/conversations.md.
std::vector<Route> MakeActivityRoutes(const ActivityRoutesParts& parts);

/// The conversations of a shop, which is opened for it. Errors: kNotFound, of the shop.
using ConversationsOf =
    std::function<absl::StatusOr<std::shared_ptr<ConversationStore>>(const std::string& shop)>;

/// Of /admin/shops/{name}: GET feedback, activity, answers, unanswered, and trace?answer_id=.
std::vector<Route> MakeActivityAdminRoutes(const ConversationsOf& conversations,
                                           WorkerPool& workers, std::function<int64_t()> now_unix);

}  // namespace emptor::services
