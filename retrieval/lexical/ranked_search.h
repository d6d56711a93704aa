// Ranked retrieval over one inverted index: exhaustive, and pruned by MaxScore.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/lexical/inverted_index.h"
#include "retrieval/record_set.h"
#include "retrieval/top_k_queue.h"

namespace emptor::retrieval {

/// A term and what an occurrence of full impact is worth (its idf).
struct QueryTerm {
  std::string text;
  float weight = 0;
};

/// The distinct terms of a query with their idf over all `segments` together. Terms that occur
/// nowhere are left out.
std::vector<QueryTerm> CompileQuery(const Analyzer& analyzer, std::string_view query,
                                    std::span<const InvertedIndex* const> segments);

/// Best records and all that matched. `allowed` restricts both; null allows every record.
struct LexicalMatches {
  std::vector<ScoredRecord> best;  // at most k, best first
  RecordSet matched;               // every allowed record with at least one term
};

/// Term at a time over dense accumulators: reads every posting once. The oracle of the next one.
LexicalMatches SearchExhaustively(const InvertedIndex& index, std::span<const QueryTerm> query,
                                  size_t k, const RecordSet* allowed);

/// Record at a time; skips records that cannot enter the best k. Same result, bit by bit.
/// Turtle, Flood 1995, "Query evaluation: strategies and optimizations" (MaxScore).
LexicalMatches SearchMaxScore(const InvertedIndex& index, std::span<const QueryTerm> query,
                              size_t k, const RecordSet* allowed);

/// Takes whichever of the two is faster for the index' size.
LexicalMatches SearchRanked(const InvertedIndex& index, std::span<const QueryTerm> query, size_t k,
                            const RecordSet* allowed);

/// The scores of given records: 0 where no term occurs. `records` may be in any order.
std::vector<float> ScoreRecords(const InvertedIndex& index, std::span<const QueryTerm> query,
                                std::span<const uint32_t> records);

}  // namespace emptor::retrieval
