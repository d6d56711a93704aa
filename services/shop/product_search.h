// A search as a shop offers it: words to conditions, hits to live records, explained relaxation.
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
  retrieval::Filter asked;    // by words and request
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

/// 48 bits that stand for a product, or for its group where variants are grouped: another variant
/// on the next page would show the group twice.
uint64_t ShownKey(const retrieval::Hit& hit);
/// 48 bits that stand for a text.
uint64_t HashOfText(std::string_view text);

/// Errors: those of the search and the store. Thread-safety: any thread.
absl::StatusOr<ProductSearchResult> SearchProducts(const ShopReader& shop,
                                                   const ProductSearchInput& input);

}  // namespace emptor::services
