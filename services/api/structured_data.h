// Structured data of pages: JSON-LD in the vocabulary of schema.org, as search engines read it.
// JsonWriter escapes what could end the script element that holds it. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "services/api/category_index.h"
#include "services/api/comparison.h"
#include "services/api/page_parts.h"

namespace emptor::services {

/// A Product with its Offer, where the record has a price, and its AggregateRating, where it has
/// been rated. `now_unix` decides whether the sale has an end.
std::string ProductJsonLd(const PageContext& page, const ShownProduct& shown, int64_t now_unix);

/// A BreadcrumbList from the shop to the last crumb, and to `product` where one is given.
std::string BreadcrumbJsonLd(const PageContext& page, std::span<const Crumb> crumbs,
                             const catalog::Product* product = nullptr);

/// An ItemList of links to product pages; the first has this position in the whole list.
std::string ItemListJsonLd(const PageContext& page, std::string_view name,
                           std::span<const ShownProduct> products, size_t first, size_t total);

}  // namespace emptor::services
