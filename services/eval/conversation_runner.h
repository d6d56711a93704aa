// Holds the conversations of cases with an assistant and judges each answer.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "services/eval/answer_judge.h"

namespace emptor::services {

/// What is asked in one turn.
struct AskedTurn {
  std::string message, conversation_id, locale;
};

/// Gets the events of the answer in order, by name, with their data as JSON.
using OnAnswerEvent = std::function<void(std::string_view name, const catalog::JsonValue& data)>;
/// Asks, calls back, and returns when the answer has ended. Errors: the assistant cannot be asked
/// at all; a refusal of one message is the event "error".
using AskAssistant = std::function<absl::Status(const AskedTurn& turn, const OnAnswerEvent&)>;

struct JudgedTurn {
  const CaseConversation* conversation = nullptr;
  size_t turn = 0;  // from 0
  ShownAnswer answer;
  Verdict verdict;
};

/// Every turn, in order. Errors: of `ask`.
absl::StatusOr<std::vector<JudgedTurn>> HoldConversations(
    const std::vector<CaseConversation>& conversations, const GoldRecords& records,
    const AskAssistant& ask);

}  // namespace emptor::services
