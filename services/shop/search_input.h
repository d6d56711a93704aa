// What a search is asked for: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/hybrid/sort_order.h"
#include "retrieval/query/relaxation.h"
#include "retrieval/text/stemmer.h"

namespace emptor::services {

/// The farthest that pages reach: behind this many products there is no next one.
inline constexpr size_t kMaxShownProducts = 1000;

struct ProductSearchInput {
  std::string query;             // empty: everything that meets the filter
  retrieval::Filter filter;      // conditions of the request
  retrieval::FilterParts named;  // of these parts the query's words say nothing
  int limit = 10;
  /// ShownKey of what earlier pages showed: left out, so that no page repeats a product and none is
  /// passed over, however the catalog has changed in between.
  std::vector<uint64_t> shown;
  /// What the first page gave up; nothing: this is the first page.
  std::optional<std::vector<retrieval::RelaxationStep>> relaxed;
  bool facets = false;
  bool group_variants = true;  // one product for each item group
  float diversity = 0;         // retrieval::SearchRequest::diversity
  retrieval::SortOrder sort = retrieval::SortOrder::kRelevance;
  retrieval::Language language = retrieval::Language::kOther;  // kOther: told from the words
  bool correct = true;                                         // false: the words as typed
};

}  // namespace emptor::services
