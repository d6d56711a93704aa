// Words that the shopper demands of records: which products of a type have them, and what none
// says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/type_catalog.h"
#include "services/shop/product_search.h"

namespace emptor::services {

/// Ids by the number of demanded words that the products lack.
using WordGroups = std::vector<std::vector<std::string>>;

/// The members of the table that lack no word, one, and so on up to half of them; of the makers
/// that words name, as other words are given up before a maker. Members with fewer reviews than
/// demanded are in no group. Empty where nothing is demanded. Pure.
WordGroups GroupByWords(const TypeTable& table, const std::vector<WordCondition>& words,
                        std::optional<int64_t> min_reviews);

/// The properties among `words` that none of the first `shown` products says; `fit`, which may be
/// one of the words, counts as a property. Pure.
std::vector<std::string> LackingWords(const std::vector<WordCondition>& words,
                                      const std::optional<WordCondition>& fit,
                                      const std::vector<FoundProduct>& found, size_t shown);

}  // namespace emptor::services
