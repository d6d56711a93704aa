// Situations and people, and the types of products that help (data/lexicon/needs.txt).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

struct Need {
  std::string name;                // "cooking"
  std::vector<std::string> types;  // canonical names of data/lexicon/types.txt, the best first
  FoldedMessage::Span span;        // of the phrase in the message
};

/// The need of the longest phrase that the message holds, in five languages: "a gift for someone
/// who loves cooking", "my bedroom is freezing". What somebody does says more than who it is: gifts
/// and people count where nothing else is said. Pure.
std::optional<Need> FindNeed(const FoldedMessage& message);

}  // namespace emptor::services
