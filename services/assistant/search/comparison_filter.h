// Turns a comparison with a product into a condition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "services/assistant/reading/comparison.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"

namespace emptor::services {

/// Narrows `filter` to products beyond this one: in price (`price`: payable now), in rating, or in
/// the first of its measured properties that the comparison may mean. Does nothing when the product
/// does not state it.
void LimitBeyond(const Comparison& comparison, const catalog::Product& product,
                 const std::optional<catalog::Money>& price, retrieval::Filter& filter);

/// The values of the attribute beyond those of all the products: "30" and "32" for "bigger" than 24
/// and 27 inches. Nothing where no product states it. Pure.
std::optional<std::vector<std::string>> ValuesBeyond(const SchemaKey& key, bool wants_more,
                                                     const std::vector<catalog::Product>& products);

/// "A bigger one", of 27 inches: drops what was asked of the attribute before, and quantities that
/// the product's value meets, as the bound takes their place. Pure.
void LiftBounded(const std::string& key, const catalog::Product& product, retrieval::Filter& filter,
                 std::vector<WordCondition>& words);

}  // namespace emptor::services
