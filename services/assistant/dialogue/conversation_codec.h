// The state of a conversation as bytes (docs/formats/conversation.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/dialogue/conversation_record.h"
#include "services/assistant/dialogue/dialogue.h"

namespace emptor::assistant::v1 {
class Filter;
class Turn;
}  // namespace emptor::assistant::v1

namespace emptor::services {

inline constexpr uint32_t kConversationVersion = 1;
/// Larger values are damaged or not ours.
inline constexpr size_t kMaxStoredConversationBytes = 1u << 20;
inline constexpr size_t kMaxStoredTurns = 64;

inline constexpr size_t kMaxStoredAnswerBytes = 128u << 10;

struct StoredConversation {
  std::string shop;
  ConversationHead head;
  std::vector<ConversationTurn> turns;  // oldest first
};

std::string EncodeConversation(const StoredConversation& conversation);
/// Any bytes are safe. Errors: kDataLoss (not a conversation, or out of bounds),
/// kFailedPrecondition (a newer version).
absl::StatusOr<StoredConversation> DecodeConversation(std::string_view bytes);

/// An answer or a feedback of a shop.
template <typename Value>
struct OfShop {
  std::string shop;
  Value value;
};
std::string EncodeAnswer(const std::string& shop, const ConversationAnswer& answer);
std::string EncodeFeedback(const std::string& shop, const AnswerFeedback& feedback);
/// Any bytes are safe. Errors: kDataLoss, kFailedPrecondition.
absl::StatusOr<OfShop<ConversationAnswer>> DecodeAnswer(std::string_view bytes);
absl::StatusOr<OfShop<AnswerFeedback>> DecodeFeedback(std::string_view bytes);

/// The messages of the format. Reading ignores names of enumerations that it does not know.
void WriteTurn(const ConversationTurn& turn, assistant::v1::Turn& out);
ConversationTurn ReadTurn(const assistant::v1::Turn& in);
void WriteFilter(const retrieval::Filter& filter, assistant::v1::Filter& out);
retrieval::Filter ReadFilter(const assistant::v1::Filter& in);

}  // namespace emptor::services
