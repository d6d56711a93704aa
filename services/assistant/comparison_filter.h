// The condition that a comparison with a product comes to.
#pragma once

#include <optional>

#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "services/assistant/comparison.h"

namespace emptor::services {

/// Narrows `filter` to what lies beyond the product: its price (`price`: what is payable now), its
/// rating, or the first of its measured properties that the comparison may mean. A product that
/// does not state it narrows nothing.
void LimitBeyond(const Comparison& comparison, const catalog::Product& product,
                 const std::optional<catalog::Money>& price, retrieval::Filter& filter);

}  // namespace emptor::services
