// What shoppers say for the words of attributes' names (data/lexicon/key_words.txt): "Rasur" for
// "shaving", "a year" for "annual".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A word of the lexicon that attributes use in their names: "cable included".
constexpr std::string_view kIncluded = "included";

/// The words of names that the message says in other words. Pure.
std::vector<std::string> KeyWordsSaid(const FoldedMessage& message);

/// The message without what it says for words of which `is_known` holds. Pure.
FoldedMessage WithoutKeyWords(const FoldedMessage& message,
                              const std::function<bool(const std::string& word)>& is_known);

}  // namespace emptor::services
