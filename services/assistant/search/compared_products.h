// Products that a comparison names: "the Gridlow R90 or the Torvane T20, which is lighter".
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/grounding/source.h"
#include "services/shop/product_search.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// The products that the parts of the question name, in its order: of `shown` (the products that
/// the question refers to), else of the shop, searched as `search` says. "Compare it with the T20"
/// adds to the only one of `shown`. Empty where fewer than two are found. Errors: those of the
/// search.
absl::StatusOr<std::vector<Source>> FindCompared(const ShopReader& shop,
                                                 const Understanding& understanding,
                                                 const std::string& question,
                                                 const std::vector<Source>& shown,
                                                 ProductSearchInput search);

}  // namespace emptor::services
