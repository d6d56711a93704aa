// Turns a comparison with a product into a condition.
#pragma once

#include <optional>

#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "services/assistant/reading/comparison.h"

namespace emptor::services {

/// Narrows `filter` to products beyond this one: in price (`price`: payable now), in rating, or in
/// the first of its measured properties that the comparison may mean. Does nothing when the product
/// does not state it.
void LimitBeyond(const Comparison& comparison, const catalog::Product& product,
                 const std::optional<catalog::Money>& price, retrieval::Filter& filter);

}  // namespace emptor::services
