// How far a ranking may rely on the words of a query: little where the catalog does not know them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/hybrid/expansion.h"
#include "retrieval/lexical/ranked_search.h"
#include "retrieval/text/analyzer.h"
#include "retrieval/words/query_rewriter.h"

namespace emptor::retrieval {

/// A distinct word of the query.
struct WeighedWord {
  float weight = 0;  // its idf; that of a word of one record where no record has it
  float credit = 1;  // what a record with it gets of that: less where the word was corrected
  std::vector<size_t> terms = {};  // positions in ExpandedQuery of the word and its expansions
};

/// The words of the rewritten query. Source: foreign words match a few records by chance, and a
/// misspelling of every word is rare, so corrected words get half of their weight.
std::vector<WeighedWord> WordsOfQuery(const Analyzer& analyzer, const RewrittenQuery& rewritten,
                                      const ExpandedQuery& query,
                                      std::span<const InvertedIndex* const> segments);

/// The greatest share of the words' weight that one of `records` has, 0 to 1; 1 without words.
float BestCoverage(const InvertedIndex& index, const ExpandedQuery& query,
                   std::span<const WeighedWord> words, std::span<const uint32_t> records);

}  // namespace emptor::retrieval
