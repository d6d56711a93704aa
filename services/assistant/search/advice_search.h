// Products for a need: of several types, one of each before a second one of any.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/reading/asked_needs.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_catalog.h"
#include "services/shop/product_search.h"

namespace emptor::services {

/// What is advised on: a need, the types that help, and when and where.
struct AdviceInput {
  const ShopReader& shop;
  const TypeTable& table;
  const Understanding& understanding;
  int64_t now_unix = 0;
  const catalog::Market& market;
};

struct Advice {
  std::vector<FoundProduct> products;
  NeedReport needs;
  std::string not_sold;   // what would help most, where none of it is sold
  bool is_final = false;  // nothing else is to be searched
};

/// Of each type of `table.advised` the products that meet the filter of `search`, and `wishes`
/// where any does; the best rated first among those that the search ranks first. None is for older
/// people than who is spoken of. Types of which nothing is left are left out. Goods of other types
/// are searched only where a price limits what helps, or for something that somebody likes. Errors:
/// those of the search.
absl::StatusOr<Advice> FindAdvice(const AdviceInput& input, const ProductSearchInput& search,
                                  size_t limit);

}  // namespace emptor::services
