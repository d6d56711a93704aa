// Words for what belongs to other goods, and for the use that is made of goods
// (data/lexicon/accessories.txt): "a stand for my monitor", "something to hang my bike".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A place where a message says what is wanted for other goods.
struct AccessoryWord {
  FoldedMessage::Span span;        // "stand", "hang"
  std::vector<std::string> goods;  // English names of what may be meant, the usual one first
  std::vector<std::string> any;    // goods that serve any others, where none is made for these
  bool is_use = false;             // a verb, of which the other goods are the object
};

/// In their order in the message; where several begin at one place, the longest. Pure.
std::vector<AccessoryWord> FindAccessoryWords(const FoldedMessage& message,
                                              std::string_view language);

/// The name that the compound ends with and what stands before it: "fahrrad" and "stander" of
/// "fahrradstander". Both empty: the word is no such compound. Pure.
struct AccessoryCompound {
  std::string whole, part;
  std::vector<std::string> goods;
};
AccessoryCompound PartAccessory(const std::string& word, std::string_view language);

}  // namespace emptor::services
