// Parses bounds of quantities in a query: "bigger than 27 inch", "at least 2 l", "4 stars and up".
#pragma once

#include <optional>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/vocabulary.h"

namespace emptor::retrieval {

/// Reads bounds of quantities whose dimension the catalog states. Tokens of a comparison are
/// removed from the search text (`used`). A plain quantity ("27 inch monitor") is left to the
/// ranking, unless it names its attribute ("capacity 2 l").
std::vector<NumericRange> ReadRanges(const std::vector<QueryToken>& tokens,
                                     const QueryVocabulary& vocabulary, std::vector<bool>& used);

/// Reads "4 stars and up", "at least 4.5 stars", "rated 4 or better", "best rated" (4).
std::optional<double> ReadMinRating(const std::vector<QueryToken>& tokens, std::vector<bool>& used);

}  // namespace emptor::retrieval
