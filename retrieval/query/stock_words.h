// Parses stock, store and condition of goods in a query.
#pragma once

#include <string_view>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/query/query_tokens.h"
#include "retrieval/query/vocabulary.h"

namespace emptor::retrieval {

/// Reads "in stock", "available in Berlin", "auf Lager", "有货" into availability and location.
/// A message that asks whether something is in stock ("is the K20 in stock?") states no condition.
void ReadStock(const std::vector<QueryToken>& tokens, std::string_view message,
               const QueryVocabulary& vocabulary, std::vector<bool>& used, Filter& filter);

/// Reads "refurbished", "second hand", "used laptop", "brand new". Words stay in the search text.
void ReadCondition(const std::vector<QueryToken>& tokens, std::vector<bool>& taken, Filter& filter);

}  // namespace emptor::retrieval
