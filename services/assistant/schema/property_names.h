// Which properties of data/lexicon/attributes.txt a text names, in any language: "how heavy" and
// "item weight" name the same.
#pragma once

#include <cstdint>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// Numbers of the properties that the text names, ascending, each once. A phrase of Latin letters
/// is compared by the stems of its words. Pure; linear in the text. Thread-safety: any thread.
std::vector<uint32_t> PropertiesIn(const FoldedMessage& text);

/// The phrases of several words that name a property in the text, as stems between blanks, none of
/// them part of a longer one: "wireless charg". Pure; linear in the text. Thread-safety: any
/// thread.
std::vector<std::string> LongPropertyPhrasesIn(const FoldedMessage& text);

}  // namespace emptor::services
