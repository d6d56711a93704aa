// How far apart two spellings are, and how likely one was typed for the other.
#pragma once

#include <string_view>

namespace emptor::retrieval {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, each place
/// edited once (Damerau 1964, in the restricted form); `limit + 1` where that is over `limit`.
/// Bytes are compared. REQUIRES: limit >= 0.
int EditDistance(std::string_view a, std::string_view b, int limit);

/// The same alignment with typists' errors made cheap: a doubled or a lost double letter 0.5, a
/// swap 0.6, one vowel for another 0.6, letters that sound alike 0.7, neighbours on a QWERTY or
/// QWERTZ keyboard 0.8, a lost vowel 0.8, any other edit 1, and more at the first letter, which
/// people seldom miss. The weights were set once by hand, docs/search.md says what they bring.
/// REQUIRES: both words at most kMaxTypedBytes long.
float WeightedEditDistance(std::string_view typed, std::string_view meant);

inline constexpr size_t kMaxTypedBytes = 32;

}  // namespace emptor::retrieval
