// Shopify's product CSV: rows of one handle are one product with its variants and images.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// True for the columns of a Shopify product export, of either template.
bool IsShopifyHeader(const std::vector<std::string_view>& columns);

/// Reads UTF-8. A row with an option value, SKU or price is a variant and gives a product: id by
/// handle and options, item_group_id the handle. A row with only an image belongs to the variant
/// before it. The first row of a handle holds what its variants share; a product that is not
/// published is deleted. Memory: the rows of one handle, up to kMaxGroupBytes; a longer group is
/// emitted in parts, and images after a part belong to the next. Errors of Push: kInvalidArgument
/// when there is no handle column.
std::unique_ptr<FeedReader> MakeShopifyReader(const FeedOptions& options, RowSink sink);

/// The id of a variant: the handle and its option values, without "Default Title".
std::string ShopifyId(std::string_view handle, const std::array<std::string_view, 3>& options);

inline constexpr size_t kMaxGroupBytes = 4u << 20;

}  // namespace emptor::catalog
