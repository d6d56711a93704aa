// Words around a request that say nothing of the goods, and what somebody is said to like
// (data/lexicon/stories.txt).
#pragma once

#include <string>
#include <string_view>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// "Granddaughter", "loves", "birthday": demanded of no record. `word` is folded. Pure.
bool IsStoryWord(const std::string& word);

/// "PAW Patrol" of "she loves PAW Patrol, her birthday is soon", folded: the words behind a phrase
/// of liking, to the end of its clause. Empty: the message has none. `message` as it was written.
/// Pure.
std::string FindLiking(std::string_view message);

}  // namespace emptor::services
