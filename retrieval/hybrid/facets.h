// How the records that match a query spread over brands, prices and other properties.
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

/// Counts records that a search finds by words (a word of the query, corrected and widened; every
/// word, where the request sorts; all, where it browses) and that meet the filter, each facet
/// without its own condition: the siblings of a chosen value keep their counts, and choosing a
/// value leaves as many records as its count says. Prices are counted in `currency`; values without
/// a record are left out.
Facets CountFacets(const Snapshot& snapshot, const Analyzer& analyzer, const SearchRequest& request,
                   const RewrittenQuery& rewritten, const std::string& currency, int64_t now_unix,
                   const FacetOptions& options = {});

}  // namespace emptor::retrieval
