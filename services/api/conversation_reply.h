// Conversations as JSON: docs/conversations.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/dialogue/conversation_store.h"

namespace emptor::services {

/// {"items":[{"id","title","created_at","updated_at","answers"}],"next_cursor"?}
std::string ConversationListJson(const std::vector<ConversationStore::Listed>& listed,
                                 const std::string& next_cursor);

/// {"id","title","created_at","updated_at","answers"}
std::string ConversationHeadJson(const std::string& id, const ConversationHead& head);

struct ConversationReply {
  std::string id;
  ConversationStore::Record record;
  std::string base_url;
  int64_t now_unix = 0;
  /// The live record of a product; nothing: it is gone, and its card is left out.
  std::function<std::optional<catalog::Product>(const std::string& id)> find_product;
  std::function<std::optional<AnswerFeedback>(const std::string& answer_id)> find_feedback;
};
/// The head's members and "messages".
std::string ConversationJson(const ConversationReply& reply);

}  // namespace emptor::services
