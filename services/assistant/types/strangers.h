// Which members of a type state nothing of what the others state.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/types/product_kinds.h"

namespace emptor::services {

/// Ids of the products whose attributes are none of those that tell the type from the rest of the
/// shop: the cables and stands among monitors. A product with few attributes is none, as it may
/// only say little; nor is one with many. Nothing where they are a large part of the products: the
/// type is of several kinds. `kinds` is of the whole shop. Pure.
std::unordered_set<std::string> FindStrangers(const std::vector<catalog::Product>& products,
                                              const ProductKinds& kinds);

}  // namespace emptor::services
