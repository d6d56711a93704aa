// Measures the search of one large generated shop: building, memory, times, recall, filters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/vector/vector_index_spec.h"

namespace emptor::services {

struct RetrievalSpeedOptions {
  size_t passages = 100000;
  size_t queries = 200;  // of each measurement, on each thread
  std::vector<int> threads = {1, 2};
  /// A text a line; where they are fewer than passages, more are made by joining the beginning of
  /// one with the end of another near it. Empty: titles are made up.
  std::vector<std::string> texts = {};
  /// Searched for. Empty: two to four words of texts.
  std::vector<std::string> searched = {};
  uint64_t seed = 1;
  /// Searches as the service does: with the dictionary of the texts (corrections, stems, joined and
  /// split words) and the default synonyms. False: the words of the query alone.
  bool dictionary = true;
  retrieval::VectorIndexSpec vector_index = {};
};

/// Milliseconds of one search, and searches a second of all threads.
struct SearchTimes {
  int threads = 1;
  double p50_ms = 0, p99_ms = 0, most_ms = 0;
  double processor_ms = 0;  // mean of the searching threads' processor time
  double per_second = 0;
  double matched = 0;  // records that a search matched, mean
};

/// Searches under a filter that keeps a share of the records.
struct FilteredSearch {
  double share = 1;
  double recall_at_10 = 0;   // of vectors, against the scan of every allowed row
  double scanned = 0;        // share of searches that an exact scan answered, not the index
  size_t short_answers = 0;  // with fewer results than the exact answer: 0 is asked
  SearchTimes times;         // of whole hybrid searches
};

struct RetrievalSpeedReport {
  size_t passages = 0;
  std::string embedder;
  int dimension = 0;
  double embed_seconds = 0, build_seconds = 0;  // wall
  double embed_processor_seconds = 0, build_processor_seconds = 0;
  double dictionary_seconds = 0;   // wall; 0 without a dictionary
  double bytes_per_passage = 0;    // growth of resident memory
  double counted_per_passage = 0;  // as index and dictionary count themselves, for budgets
  std::vector<SearchTimes> hybrid;
  SearchTimes vectors, words;            // one search of each kind alone, one thread
  std::vector<FilteredSearch> filtered;  // the first one without a filter
};

/// Errors: those of the embedder and of HybridSearcher.
absl::StatusOr<RetrievalSpeedReport> MeasureRetrieval(const RetrievalSpeedOptions& options,
                                                      const retrieval::Embedder& embedder);

std::string RetrievalSpeedTable(const RetrievalSpeedReport& report);
/// One line.
std::string RetrievalSpeedJson(const RetrievalSpeedReport& report);

}  // namespace emptor::services
