// One search over one snapshot of a shop's segments.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/hit.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/segment/snapshot.h"

namespace emptor::retrieval {

/// A valid request with its inputs.
struct SnapshotQuery {
  const SearchRequest* request = nullptr;
  const RewrittenQuery* rewritten = nullptr;  // for the lexical search
  std::vector<float> vector;                  // of the query; empty: lexical search only
  int64_t now_unix = 0;                       // decides which prices are in effect
};

/// Vector searches by path.
struct PathCounts {
  uint64_t faiss = 0;
  uint64_t scan = 0;
};

/// Filters, searches each segment by words and by vector, computes both scores of every candidate,
/// fuses them, applies post-ranking and keeps the first `limit`. Adds to `paths`. Errors: kInternal
/// (FAISS). Thread-safety: any thread.
absl::StatusOr<SearchResult> SearchSnapshot(const Snapshot& snapshot, const Analyzer& analyzer,
                                            const FusionOptions& fusion, const SnapshotQuery& query,
                                            PathCounts& paths);

/// The ids of every record that passes the filter and has every word of the query, as
/// MatchEveryWord has it; with `browse`, whatever the query is. In no particular order.
std::vector<std::string> MatchingIds(const Snapshot& snapshot, const Analyzer& analyzer,
                                     const SnapshotQuery& query);

}  // namespace emptor::retrieval
