// Units of attributes whose values are plain numbers, learned from the titles of their records.
#pragma once

#include <vector>

#include "catalog/product.h"
#include "services/assistant/schema/type_schema.h"

namespace emptor::services {

/// Gives plain numbers the unit in which titles state the same quantity: where records with
/// "internal memory: 16" say "16 GB" and those with "8192" say "8 GB", the attribute is in GB for
/// small values and in MB for great ones. A unit counts where a third of the records whose titles
/// state a quantity of its dimension agree on it, in at least two different values. Counts of
/// things have no unit. Linear in the records.
void LearnUnits(const std::vector<const catalog::Product*>& products, std::vector<SchemaKey>& keys);

}  // namespace emptor::services
