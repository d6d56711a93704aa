// Words that the shopper demands of records: which products of a type have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/type_table.h"
#include "services/shop/product_search.h"

namespace emptor::services {

/// Ids by the number of demanded words that the products lack.
using WordGroups = std::vector<std::vector<std::string>>;

/// The members of the table that lack no word, one, and so on up to half of them; of the makers
/// that words name, as other words are given up before a maker. Members with fewer reviews than
/// demanded are in no group. Empty where nothing is demanded. Pure.
WordGroups GroupByWords(const TypeTable& table, const std::vector<WordCondition>& words,
                        std::optional<int64_t> min_reviews);

/// "A laser printer" is no roller for one: of these members those that the type's bare name means,
/// if there are any. Pure.
void KeepTypical(const TypeTable& table, std::unordered_set<std::string>& ids);

struct WordSearch {
  ProductSearchResult found;
  bool misses_words = false;  // nothing has all that is demanded
};

/// The products of the first group that meet all conditions, else those of the groups after it, and
/// of what `search` may show: what is typical of the type first. Words are given up before
/// conditions. Errors: those of the search.
absl::StatusOr<WordSearch> SearchByWords(const ShopReader& shop, ProductSearchInput search,
                                         const WordGroups& groups, const TypeTable* table);

/// The products of `search` that are described and typical of the type, where as many as are shown
/// of them are in stock; nothing where they are not. Errors: those of the search.
absl::StatusOr<std::optional<ProductSearchResult>> SearchBest(const ShopReader& shop,
                                                              ProductSearchInput search,
                                                              const TypeTable& table, size_t shown);

/// Adds the pages after the first one to it, of the members that have the words, else of all of the
/// type. Errors are those of the search.
absl::Status SearchRest(const ShopReader& shop, ProductSearchInput search, const WordGroups& groups,
                        const TypeTable* table, size_t page_size, ProductSearchResult& first);

}  // namespace emptor::services
