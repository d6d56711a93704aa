// Query expansion: the corrected query, with weighted terms in addition to its own.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "retrieval/hybrid/snapshot_search.h"
#include "retrieval/lexical/ranked_search.h"
#include "retrieval/words/query_rewriter.h"
#include "retrieval/words/shop_words.h"

namespace emptor::retrieval {

/// The query as `words` rewrites it. Unchanged when `words` is null or the query identifies a
/// record (id, GTIN or part number).
RewrittenQuery RewriteForSearch(const ShopWords* words, const SearchRequest& request,
                                const Snapshot& snapshot);

/// The terms of a query, then its expansions, each with the query term that it expands.
struct ExpandedQuery {
  std::vector<QueryTerm> terms;
  std::vector<size_t> stands_for;  // [terms] position of the expanded term, or its own
  size_t own = 0;                  // number of query terms; they come first
};

/// Adds the expansions that occur in a segment. The weight of one is its factor times `scale` times
/// the idf of the more frequent of its term and `of`. A term that is present already keeps the
/// greater weight.
ExpandedQuery Expand(std::vector<QueryTerm> terms, std::span<const Expansion> expansions,
                     float scale, std::span<const InvertedIndex* const> segments);

/// Scores `records`, in their order. Of a query term and its expansions only the best one counts,
/// so a record with "television" and "tv" scores no higher for "tv" than a record with "tv" alone.
/// Never more than the sum over all terms, which the search computes.
std::vector<float> ScoreConcepts(const InvertedIndex& index, const ExpandedQuery& query,
                                 std::span<const uint32_t> records);

}  // namespace emptor::retrieval
