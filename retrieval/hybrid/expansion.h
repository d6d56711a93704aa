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

/// Adds the expansions that occur to `terms`, each worth its factor of the idf of the more frequent
/// of term and `of`; a term that is there already keeps the greater weight.
void AddExpansions(std::span<const Expansion> expansions,
                   std::span<const InvertedIndex* const> segments, std::vector<QueryTerm>& terms);

}  // namespace emptor::retrieval
