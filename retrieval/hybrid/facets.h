// Facet counts: the records that match a query, by brand, price and other properties.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/hybrid/snapshot_search.h"

namespace emptor::retrieval {

struct FacetOptions {
  size_t max_values = 10;      // of each facet
  size_t max_attributes = 6;   // facets of attributes
  size_t price_ranges = 5;     // at most
  double min_coverage = 0.15;  // share of the records that a facet's shown values must cover
};

/// Counts the records that match the query by words and meet the filter. A record matches with any
/// word of the corrected and expanded query, with every word when the request sorts, and always
/// when it browses. Each facet is counted without its own condition: the siblings of a chosen value
/// keep their counts, and choosing a value leaves as many records as its count states. Prices are
/// counted in `currency`. Values without a record are left out.
Facets CountFacets(const Snapshot& snapshot, const Analyzer& analyzer, const SearchRequest& request,
                   const RewrittenQuery& rewritten, const std::string& currency, int64_t now_unix,
                   const FacetOptions& options = {});

}  // namespace emptor::retrieval
