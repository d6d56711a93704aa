// Words around a request that say nothing of the goods, and what somebody is said to like
// (data/lexicon/stories.txt).
#pragma once

#include <string>
#include <string_view>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// "Granddaughter", "loves", "birthday": demanded of no record. `word` is folded. Pure.
bool IsStoryWord(const std::string& word);

/// "My", "unser": the goods behind it are had, not looked for. `word` is folded. Pure.
bool IsOwnerWord(const std::string& word);

/// "I", "she": begins a clause that tells of somebody. `word` is folded. Pure.
bool IsTellerWord(const std::string& word);

/// What a title's words say that its goods are, besides what they are called.
struct TitleHints {
  bool is_aside = false;      // only meant for such goods: "number blocks labels"
  bool is_plaything = false;  // "doll diapers"
  bool is_technical = false;  // a part of a computer or a network: "CPU cooler fan"
};

/// Pure.
TitleHints HintsOf(std::string_view title);

/// "PAW Patrol" of "she loves PAW Patrol, her birthday is soon", folded: the words behind a phrase
/// of liking, to the end of its clause. Empty: the message has none. `message` as it was written.
/// Pure.
std::string FindLiking(std::string_view message);

}  // namespace emptor::services
