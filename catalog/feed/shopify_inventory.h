// Shopify's inventory export: stock per location, one row per variant and location, or one per
// variant with a column for each location.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// True for the columns of an inventory export: handle and options as in the product export, then
/// Location and quantities, or HS Code, COO and the locations.
bool IsShopifyInventoryHeader(const std::vector<std::string_view>& columns);

/// Gives a ProductPatch of `stock` and `availability` for each variant; its id is that of the
/// product export. The available quantity counts, else the quantity on hand. Consecutive rows of a
/// variant make one row. A row that cannot be read makes the variants before and after it unusable,
/// because it may belong to either. Errors: as FeedReader; kInvalidArgument when the rows of a
/// variant are not consecutive, or for more than kMaxVariants. Memory: the rows of one variant, and
/// 8 bytes for each variant.
std::unique_ptr<FeedReader> MakeShopifyInventoryReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
