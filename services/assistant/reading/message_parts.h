// A message of several acts: "the octavane. also a wireless keyboard", "is it loud? and do you have
// filters for it". Each is a turn of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/reading/choice_changes.h"
#include "services/assistant/types/product_types.h"

namespace emptor::services {

/// One act of a message.
struct MessagePart {
  std::string text;
  /// Settles on a product and asks nothing: "ok the black one then". `text` is what is chosen;
  /// empty: what is in focus ("ok take it").
  bool is_choice = false;
  /// The parts behind it do not speak of it: the answer says what was understood.
  bool is_confirmed = false;
  /// What it changes of what was chosen before; `is_confirmed` where the answer lists that then.
  std::optional<ChoiceChange> change = {};
};

struct MessagePartsInput {
  const std::string& message;
  const std::string& language;                 // of the message
  const std::vector<ConversationTurn>& turns;  // before it
  const ShopProfile& profile;
  RecordLookup record_of = {};  // none: no change of what was chosen is read
};

/// The acts of the message, at least one and at most kMaxMessageParts, in their order; the rest of
/// a longer message stands in the last one. A message of more than kMaxPartedBytes is one part. A
/// message whose acts the reading of one turn joins, as questions about one product, is one part.
/// Pure.
inline constexpr size_t kMaxMessageParts = 3;
inline constexpr size_t kMaxPartedBytes = 1024;  // a longer one tells a story, or attacks
std::vector<MessagePart> SplitMessage(const MessagePartsInput& input);

/// "The raclette grill" and "the crepe maker" of "the raclette grill and the crepe maker, what do
/// they come to", as they were typed; none: it adds up nothing that it names, or more than
/// kMaxSumPieces. Pure.
inline constexpr size_t kMaxSumPieces = 6;
std::vector<std::string> PiecesOfSum(const std::string& message);

}  // namespace emptor::services
