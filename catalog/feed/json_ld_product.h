// Turns schema.org's Product, ProductGroup, Offer and AggregateOffer into products.
#pragma once

#include <vector>

#include "catalog/encoding/json.h"
#include "catalog/feed/feed_row.h"
#include "catalog/feed/product_builder.h"

namespace emptor::catalog {

/// The Product and ProductGroup nodes of a document: the value itself, or inside arrays, "@graph",
/// "itemListElement", "dataFeedElement", "item", "mainEntity" and "mainEntityOfPage".
std::vector<const JsonValue*> FindProductNodes(const JsonValue& document);

/// Rows of one node, without lines: a product; one for each variant of a group; one for each offer
/// if the offers have distinct SKUs and different prices. All but the last have `more`. The id is
/// sku, else productID, identifier, a gtin, mpn, "@id" or url. Prices of several offers without
/// skus that differ, and a range of prices, are reported and left out.
std::vector<FeedRow> ReadProductNode(const JsonValue& node, ProductBuilder& builder);

}  // namespace emptor::catalog
