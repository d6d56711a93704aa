// What the AI SDK's DefaultChatTransport sends: {"id","messages":[...],"trigger","messageId"?}.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "services/assistant/events/assist_events.h"

namespace emptor::services {

/// The last message is the question, those before it are the history; of each the parts of type
/// "text" count. Members of an answer's question (kQuestionMembers) may stand next to `messages`;
/// with `conversation_id` the conversation is stored. Errors: kInvalidArgument, "field: what is
/// wrong".
absl::StatusOr<AssistRequest> ParseUiMessageBody(std::string_view json);

}  // namespace emptor::services
