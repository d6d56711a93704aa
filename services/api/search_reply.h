// The reply of a search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalog/encoding/json.h"
#include "services/shop/product_search.h"

namespace emptor::services {

struct SearchReplyOptions {
  std::string_view base_url;
  /// The market whose prices are shown is that of the filters: region and currency of the price,
  /// else the region of the locale.
  std::string_view locale = {};  // of the sentence about what was given up; empty: English
  int64_t now_unix = 0;          // decides which prices are shown
  size_t shown_before = 0;       // products on earlier pages
  std::string next_cursor;       // empty: there is no next page
};

/// The market of the prices that a reply shows.
catalog::Market MarketOf(const retrieval::Filter& applied);

/// {"items","filters","relaxed"?,"explanation"?,"corrected"?,"facets"?,"total","next_cursor"?};
/// docs/search.md has the fields.
std::string SearchReplyJson(const ProductSearchResult& result, const SearchReplyOptions& options);

}  // namespace emptor::services
