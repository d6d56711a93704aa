// What a search is asked for: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/hybrid/sort_order.h"
#include "retrieval/query/relaxation.h"
#include "retrieval/text/stemmer.h"

namespace emptor::services {

/// Pages end after this many products.
inline constexpr size_t kMaxShownProducts = 1000;

/// A query that the caller has understood, in a conversation for example.
struct UnderstoodQuery {
  std::string search_text;   // the words to search for; empty: everything that meets the filter
  retrieval::Filter filter;  // all conditions, those of the request included
};

struct ProductSearchInput {
  std::string query;         // as typed; empty: everything that meets the filter
  retrieval::Filter filter;  // conditions of the request
  /// Parts of the filter that the request states: the query's words do not change them, and they
  /// are never relaxed.
  retrieval::FilterParts named;
  /// Replaces `filter` and what would be read from `query`. Nothing: the query is read here.
  std::optional<UnderstoodQuery> understood;
  int limit = 10;
  /// ShownKey of what earlier pages showed. These are left out, so that no page repeats or skips a
  /// product, even if the catalog has changed since.
  std::vector<uint64_t> shown;
  /// What the first page gave up; nothing: this is the first page.
  std::optional<std::vector<retrieval::RelaxationStep>> relaxed;
  std::vector<std::string> exclude;  // ids of products that are left out
  /// Ids of the only products that may be shown; borrowed, null: all.
  const std::unordered_set<std::string>* only = nullptr;
  /// True: what meets the filter fits, whatever its text: the filter names the type that is asked
  /// for.
  bool every_hit_fits = false;
  /// True: hits that do not fit (see Fits) are left out. False: they follow those that fit.
  bool only_fitting = false;
  bool facets = false;
  bool group_variants = true;  // one product for each item group
  float diversity = 0;         // retrieval::SearchRequest::diversity
  retrieval::SortOrder sort = retrieval::SortOrder::kRelevance;
  retrieval::Language language = retrieval::Language::kOther;  // kOther: detected
  bool correct = true;                                         // false: the words as typed
  bool quotes = true;                                          // retrieval::SearchRequest::quotes
};

}  // namespace emptor::services
