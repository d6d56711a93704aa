// Parses exclusions in a query: "not sony", "without wifi", "ohne Bluetooth", "不要皮革".
#pragma once

#include <string_view>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/vocabulary.h"

namespace emptor::retrieval {

/// Reads negations into the excluded brands, colours, categories and terms of `filter` and marks
/// their tokens as used. "not too expensive" and "not more than" exclude nothing; "no frost" is a
/// product property if the catalog has it. Commas and "or" continue a list; "and" does so before a
/// single word or a known value. A token that is used already ends a negation.
void ReadNegations(const std::vector<QueryToken>& tokens, std::string_view message,
                   const QueryVocabulary& vocabulary, std::vector<bool>& used, Filter& filter);

}  // namespace emptor::retrieval
