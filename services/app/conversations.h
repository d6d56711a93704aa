// The conversations of a shop as the settings want them: on disk or in memory alone.
#pragma once

#include <memory>
#include <string>

#include "services/app/config.h"
#include "services/assistant/dialogue/conversation_store.h"

namespace emptor::services {

/// Conversations of a shop lie in `<directory of the shop>/conversations`, outside its generations:
/// they outlive a rebuild or restore, and no backup holds them.
std::string ConversationsPath(const Config& config, const std::string& shop);

/// Where they cannot be opened the reason is logged, and the shop goes on in memory alone. Waits
/// up to two seconds for an earlier store of that shop in this process that is being closed.
std::shared_ptr<ConversationStore> OpenConversations(
    const Config& config, const std::string& shop,
    const std::shared_ptr<ConversationCounters>& counters);

}  // namespace emptor::services
