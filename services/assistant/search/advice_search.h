// Products for a need: of several types, one of each before a second one of any.
#pragma once

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/reading/asked_needs.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_catalog.h"
#include "services/shop/product_search.h"

namespace emptor::services {

/// Of each type of `table.advised` the products that meet the filter of `search`, and `wishes`
/// where any does; the best rated first among those that the search ranks first. None is for older
/// people than who is spoken of. Types of which nothing is left are left out; empty where none is.
/// Errors: those of the search.
absl::StatusOr<std::vector<FoundProduct>> FindAdvised(const ShopReader& shop,
                                                      const ProductSearchInput& search,
                                                      const TypeTable& table,
                                                      const Understanding& understanding,
                                                      size_t limit);

/// Whether products that are advised are about what somebody is said to like; those that are come
/// first, and alone. Empty where nothing is said. Pure.
NeedReport ReportLiking(const Understanding& understanding, int64_t now_unix,
                        const catalog::Market& market, std::vector<FoundProduct>& advised);

}  // namespace emptor::services
