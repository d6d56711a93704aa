// Questions about the shop itself: returns, delivery, payment (data/lexicon/policies.txt).
#pragma once

#include <optional>
#include <string>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

struct PolicyTopic {
  std::string name;   // "return window"
  std::string words;  // English words that entries about it hold, for the search
};

/// The topic of the longest phrase that the message holds, in five languages. Pure.
std::optional<PolicyTopic> FindPolicyTopic(const FoldedMessage& message);

}  // namespace emptor::services
