// What a query is searched by: corrected by the shop's words, with weighted terms beside its own.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "retrieval/hybrid/snapshot_search.h"
#include "retrieval/lexical/ranked_search.h"
#include "retrieval/words/query_rewriter.h"
#include "retrieval/words/shop_words.h"

namespace emptor::retrieval {

/// The query as `words` read it; as it is where that is null or the query names a record.
RewrittenQuery RewriteForSearch(const ShopWords* words, const SearchRequest& request,
                                const Snapshot& snapshot);

/// Terms of a query, its own first, each with the term that it may stand in for.
struct ExpandedQuery {
  std::vector<QueryTerm> terms;
  std::vector<size_t> stands_for;  // [terms] position of that term; its own of the query's terms
  size_t own = 0;                  // how many are the query's
};

/// The terms with the expansions that occur, each worth its factor times `scale` of the idf of the
/// more frequent of term and `of`; a term that is there already keeps the greater weight.
ExpandedQuery Expand(std::vector<QueryTerm> terms, std::span<const Expansion> expansions,
                     float scale, std::span<const InvertedIndex* const> segments);

/// The scores of given records, in any order, where of a term and what stands in for it only the
/// best counts: a record that says "television" and "tv" fits "tv" no better than one that says
/// "tv" alone. At most the score that the search for all terms gives.
std::vector<float> ScoreConcepts(const InvertedIndex& index, const ExpandedQuery& query,
                                 std::span<const uint32_t> records);

}  // namespace emptor::retrieval
