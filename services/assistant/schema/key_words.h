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

/// Where a message says something for words of names: the longest phrase of each line.
struct SaidKeyWords {
  FoldedMessage::Span span;
  const std::vector<std::string>* words = nullptr;    // of names; lifetime: of the program
  const std::vector<std::string>* phrases = nullptr;  // said for them
};
std::vector<SaidKeyWords> FindKeyWords(const FoldedMessage& message);

/// The message without what it says for words of which `is_known` holds. Pure.
FoldedMessage WithoutKeyWords(const FoldedMessage& message,
                              const std::function<bool(const std::string& word)>& is_known);

}  // namespace emptor::services
