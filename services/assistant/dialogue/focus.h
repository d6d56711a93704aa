// What a conversation has put into view, and which of it an expression points at: every product and
// list that was mentioned is an entry with its role and its age, and one scorer chooses among them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "retrieval/query/query_tokens.h"
#include "services/assistant/dialogue/dialogue.h"

namespace emptor::services {

/// As what the products of an entry were mentioned.
enum class FocusRole : uint8_t {
  kWinner,     // the product that an answer ranked first
  kCited,      // what the answer speaks of, in its order
  kShown,      // the cards of the answer
  kListed,     // the latest cards that were several
  kCompared,   // set side by side
  kPair,       // the two that the latest answers were about, one each
  kFirstList,  // the first cards of the conversation that were several
  kPage,       // the product page that the shopper looks at
};

struct FocusEntry {
  FocusRole role = FocusRole::kShown;
  std::vector<std::string> products;
  int age = 0;  // turns since then
};

/// The entries of a conversation, the newest first. Pure.
std::vector<FocusEntry> FocusEntriesOf(const std::vector<ConversationTurn>& turns);

/// How an expression points.
enum class Pointing : uint8_t {
  kPage,       // "the one I was looking at"
  kBefore,     // "the previous one"
  kOther,      // "the other one"
  kOtherThan,  // "than the other one": the one in focus, and the other
  kOthers,     // "the other ones"
  kBeginning,  // "the first ones you showed me"
  kTwo,        // "both", "the two"
  kThey,       // "they", "them", where one is in focus
  kMoreOfTwo,  // "the cheaper of those"
  kAll,        // "all of them"
  kSeveral,    // "these", "which of them"
  kOne,        // "it", "this one"
  kWithFocus,  // "compare it with the second one": along with a place
};

/// The pointings of a message, the most telling first. Pure.
std::vector<Pointing> PointingsOf(const std::vector<retrieval::QueryToken>& tokens);

/// The products that are pointed at: those of the entry that fits best, or none. Pure.
std::vector<std::string> Resolve(Pointing pointing, const std::vector<FocusEntry>& entries);

}  // namespace emptor::services
