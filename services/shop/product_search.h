// The product search of a shop, for search routes and the assistant alike: words to conditions,
// merchandising rules, relaxation, variants, live records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "retrieval/hybrid/facet_values.h"
#include "services/shop/search_input.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct FoundProduct {
  catalog::Product product;
  retrieval::Hit hit;
};

struct ProductSearchResult {
  std::vector<FoundProduct> items;
  /// The first hit of the search as asked, before anything was relaxed or left out.
  std::optional<retrieval::Hit> best;
  retrieval::Filter asked;    // by the words and the request
  retrieval::Filter applied;  // what the items meet: `asked` after `relaxed`
  std::vector<retrieval::RelaxationStep> relaxed;
  std::optional<retrieval::Facets> facets;
  std::vector<retrieval::Correction> corrections;  // words that were replaced
  std::string searched_text;                       // with them; empty: none were
  std::string asked_text;                          // the words that were searched, as typed
  bool words_only = false;                         // the embedder failed: vectors had no say
  size_t total = 0;
  bool has_more = false;
};

/// A hit that shares no word with the query fits when its meaning is at least this near (cosine).
inline constexpr float kMinCosine = 0.3f;

/// True for a hit that shares a word with the query, is near in meaning, names the product by an
/// identifier, or is pinned by a merchandising rule.
bool Fits(const retrieval::Hit& hit);

/// A 48-bit hash of the product's id, or of its item group where variants are grouped, so that a
/// later page does not show another variant.
uint64_t ShownKey(const retrieval::Hit& hit);
/// A 48-bit hash.
uint64_t HashOfText(std::string_view text);

/// When no hit fits, relaxes the filter until one does; when none ever fits, relaxes nothing.
/// Errors: those of the search and the store. Thread-safety: any thread.
absl::StatusOr<ProductSearchResult> SearchProducts(const ShopReader& shop,
                                                   const ProductSearchInput& input);

}  // namespace emptor::services
