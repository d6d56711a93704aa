// Ranked retrieval over one inverted index: exhaustive, and pruned by block maxima.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/lexical/inverted_index.h"
#include "retrieval/record_set.h"
#include "retrieval/text/analyzer.h"
#include "retrieval/top_k_queue.h"

namespace emptor::retrieval {

/// A term with its weight (idf), the score of an occurrence with full impact.
struct QueryTerm {
  std::string text;
  float weight = 0;
};

/// The distinct terms of a query with their idf over all `segments`. Terms that occur nowhere are
/// left out.
std::vector<QueryTerm> CompileQuery(const Analyzer& analyzer, std::string_view query,
                                    std::span<const InvertedIndex* const> segments);

/// Best records and all that matched. `allowed` restricts both; null allows every record.
struct LexicalMatches {
  std::vector<ScoredRecord> best;  // at most k, best first
  RecordSet matched;               // every allowed record with at least one term
};

/// Scores are sums of integers (impact times the weight in steps of 2^-24), so the order of
/// addition does not matter and the searches below agree to the last bit.

/// Every allowed record with at least one of the terms.
RecordSet FindMatched(const InvertedIndex& index, std::span<const QueryTerm> query,
                      const RecordSet* allowed);

/// Term at a time with dense accumulators; reads every posting once. The oracle of SearchPruned.
std::vector<ScoredRecord> SearchExhaustively(const InvertedIndex& index,
                                             std::span<const QueryTerm> query, size_t k,
                                             const RecordSet* allowed);

/// One window of records at a time. The block maxima bound each term's score in the window: when
/// their sum cannot reach the best k, nothing is unpacked, and terms that cannot reach it alone are
/// only looked up for records that other terms found. Same result as SearchExhaustively, bit by
/// bit. Block-max MaxScore (Dimopoulos, Nepomnyachiy, Suel 2013, "Optimizing top-k document
/// retrieval strategies for block-max indexes") over intervals (Chakrabarti, Chaudhuri, Ganti 2011,
/// "Interval-based pruning for top-k processing over compressed lists").
std::vector<ScoredRecord> SearchPruned(const InvertedIndex& index, std::span<const QueryTerm> query,
                                       size_t k, const RecordSet* allowed);

/// The best k by SearchPruned, and all that matched.
LexicalMatches SearchRanked(const InvertedIndex& index, std::span<const QueryTerm> query, size_t k,
                            const RecordSet* allowed);

/// The scores of given records: 0 where no term occurs. `records` may be in any order.
std::vector<float> ScoreRecords(const InvertedIndex& index, std::span<const QueryTerm> query,
                                std::span<const uint32_t> records);

}  // namespace emptor::retrieval
