// More candidates, where nothing meets all that was asked for.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/type_catalog.h"
#include "services/shop/product_search.h"

namespace emptor::services {

/// Adds products of the type to `found`: the best by the text, those of the makers and the price
/// that are asked for, those that meet the attributes, and those whose records have the words.
/// `search`, with all conditions, is that of the type; exclusions and what the request fixes hold
/// for every one of them. Errors: those of the search.
absl::Status AddCandidates(const ShopReader& shop, const ProductSearchInput& search,
                           const TypeTable& table, const std::vector<WordCondition>& words,
                           std::vector<FoundProduct>& found);

/// `filter` without what a search may give up, but for the parts in `fixed`. Pure.
retrieval::Filter WithoutNeeds(const retrieval::Filter& filter,
                               const retrieval::FilterParts& fixed);

}  // namespace emptor::services
