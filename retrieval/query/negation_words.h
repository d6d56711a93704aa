// What a shopper does not want: "not sony", "without wifi", "ohne Bluetooth", "不要皮革".
#pragma once

#include <string_view>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/vocabulary.h"

namespace emptor::retrieval {

/// Reads negations into the excluded brands, colours, categories and terms of `filter` and marks
/// their tokens as used. "not too expensive" and "not more than" negate no thing, "no frost" is a
/// property where the catalog writes it so. A list goes on over commas and "or"; over "and" where a
/// single word or a known value follows. Tokens that are used already end a negation.
void ReadNegations(const std::vector<QueryToken>& tokens, std::string_view message,
                   const QueryVocabulary& vocabulary, std::vector<bool>& used, Filter& filter);

}  // namespace emptor::retrieval
