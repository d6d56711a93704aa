// Questions about the shop from the traces of answers.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/app/config.h"
#include "services/assistant/dialogue/conversation_archive.h"
#include "services/faq/faq_suggestions.h"

namespace emptor::services {

/// Of the kept traces, those of messages that were understood as questions about the shop. Errors:
/// kNotFound (no traces are kept), of the store.
absl::StatusOr<std::vector<AskedQuestion>> ReadAskedQuestions(const ConversationArchive* archive);

/// The same of the shop of the settings, whose archive no process holds.
absl::StatusOr<std::vector<AskedQuestion>> ReadAskedQuestions(const Config& config);

}  // namespace emptor::services
