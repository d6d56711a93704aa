// Quantities in a shopper's words: "bigger than 27 inch", "at least 2 l", "4 stars and up".
#pragma once

#include <optional>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/vocabulary.h"

namespace emptor::retrieval {

/// Reads bounds of quantities with a unit that the catalog measures in. Those compared are removed
/// from the search text (`used`); a plain quantity ("27 inch monitor") says what it is like, not
/// what it must be, and is left to the ranking, unless a property is named with it ("capacity 2
/// l").
std::vector<NumericRange> ReadRanges(const std::vector<QueryToken>& tokens,
                                     const QueryVocabulary& vocabulary, std::vector<bool>& used);

/// Reads "4 stars and up", "at least 4.5 stars", "rated 4 or better", "best rated" (4).
std::optional<double> ReadMinRating(const std::vector<QueryToken>& tokens, std::vector<bool>& used);

}  // namespace emptor::retrieval
