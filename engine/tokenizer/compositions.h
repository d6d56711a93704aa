// Unicode's compositions as rules of a character map.
#pragma once

#include <map>
#include <string>

namespace emptor::engine {

/// What replaces a character of a text, or a sequence of them; in UTF-8.
using CharacterRules = std::map<std::string, std::string>;

/// Adds the sequences that NFC composes to one character, such as "e" and a combining accent, with
/// what `rules` have for that character, or the character itself: its two parts, and its full
/// decomposition. Those of characters of Unicode 10 alone, so that the result does not depend on
/// the version of ICU.
void AddCompositions(CharacterRules& rules);

}  // namespace emptor::engine
