// Shopify's inventory export: what lies where, one row per variant and location, or one per variant
// with a column for each location.
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
/// product export. What is available counts, else what is on hand. The rows of a variant follow
/// each other and make one row; a row that cannot be read spoils the variants before and behind it,
/// for either may be its own, and is told with them. Errors: as FeedReader; kInvalidArgument when a
/// variant comes again apart from its other rows, or for more than kMaxVariants.
/// Memory: the rows of one variant, and 8 bytes for each variant.
std::unique_ptr<FeedReader> MakeShopifyInventoryReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
