// Properties of Latin letters, for folding.
#pragma once

#include <string_view>

namespace emptor::retrieval {

/// True for letters of the Latin script.
bool IsLatin(char32_t c);

/// The plain spelling of lower-case Latin letters that have no canonical decomposition ("æ" is
/// "ae"); empty for every other character.
std::string_view PlainLatin(char32_t c);

}  // namespace emptor::retrieval
