// products.jsonl of the Agentic Commerce Protocol (2026-04-17): a product a line, with variants.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "catalog/encoding/json.h"
#include "catalog/feed/feed_reader.h"
#include "catalog/feed/product_builder.h"

namespace emptor::catalog {

/// True for an object with an array "variants", which our own JSON lines do not know.
bool IsAcpProduct(const JsonValue& value);

/// Rows without lines, one for each variant, all but the last with `more`: id, title and price are
/// the variant's, item_group_id the product's id; description, link and images are the product's
/// where the variant has none. A price below "list_price" is a sale price.
/// REQUIRES: IsAcpProduct(value).
std::vector<FeedRow> ReadAcpProduct(const JsonValue& value, ProductBuilder& builder);

/// Reads UTF-8 lines. One that is not strict JSON or not a product is an unusable row.
std::unique_ptr<FeedReader> MakeAcpReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
