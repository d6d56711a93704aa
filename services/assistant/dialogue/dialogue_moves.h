// Messages that are about the conversation and name no goods: "too expensive", "why?", "more", "hm"
// (data/lexicon/moves.txt).
#pragma once

#include <string>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"

namespace emptor::services {

/// What a message of a conversation comes to.
struct MovedMessage {
  std::string message;  // "anything cheaper" for "too expensive"; as it was typed if it is no move
  /// The question of the latest turn is answered again, because its answer is doubted or a reason
  /// is asked for: `message` is that question, and `turns` of the latest ones come after it.
  bool is_repeated = false;
  size_t turns = 0;
};

/// Pure: the whole message must be a form of the lexicon, up to words that mean nothing in it.
MovedMessage MoveOn(const std::string& message, const std::vector<ConversationTurn>& turns);

/// "Hm ok", "not sure": nothing is asked and nothing is wanted. Pure.
bool IsUndecided(const std::string& message);

/// "That works", "passt", "d'accord": what was shown or said is taken, and nothing is asked. Pure.
bool IsAcceptance(const std::string& clause);

/// "Too expensive": what was shown is too much of something. Pure.
bool IsTooMuch(const std::string& message);

/// "The black one" of "no i meant the black one", in which "no" denies nothing; the message itself
/// where it corrects nothing, or says nothing else. Pure.
std::string WithoutCorrection(const std::string& message);

}  // namespace emptor::services
