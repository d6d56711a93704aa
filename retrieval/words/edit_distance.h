// Edit distance of two spellings, plain and weighted by common typing errors.
#pragma once

#include <string_view>

namespace emptor::retrieval {

/// Restricted Damerau-Levenshtein distance (optimal string alignment) of two byte strings:
/// insertions, deletions, substitutions and transpositions of neighbours. Returns `limit + 1` when
/// the distance exceeds `limit`. Source: Damerau 1964. REQUIRES: limit >= 0.
int EditDistance(std::string_view a, std::string_view b, int limit);

/// The same alignment with weighted edits: a doubled or undoubled letter costs 0.5, a transposition
/// 0.6, a vowel for another vowel 0.6, a similar-sounding letter 0.7, a neighbour on a QWERTY or
/// QWERTZ keyboard 0.8, a lost vowel 0.8, any other edit 1. Edits of the first letter cost more,
/// since people rarely mistype it. The weights are set by hand; docs/search.md has their effect.
/// REQUIRES: both words have at most kMaxTypedBytes bytes.
float WeightedEditDistance(std::string_view typed, std::string_view meant);

inline constexpr size_t kMaxTypedBytes = 32;

}  // namespace emptor::retrieval
