// One search over one snapshot of a shop's segments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/hit.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/segment/snapshot.h"

namespace emptor::retrieval {

/// A checked request with what it needs from outside.
struct SnapshotQuery {
  const SearchRequest* request = nullptr;
  const RewrittenQuery* rewritten = nullptr;  // what is searched by words
  std::vector<float> vector;                  // of the query; empty: search by words only
  int64_t now_unix = 0;                       // decides which prices hold
};

/// How many searches of the vector index went which way.
struct PathCounts {
  uint64_t faiss = 0;
  uint64_t scan = 0;
};

/// Filters, searches each segment by words and by vector, gives every candidate its score in both,
/// fuses and cuts. Adds to `paths`. Errors: kInternal (FAISS). Thread-safety: any thread.
absl::StatusOr<SearchResult> SearchSnapshot(const Snapshot& snapshot, const Analyzer& analyzer,
                                            const FusionOptions& fusion, const SnapshotQuery& query,
                                            PathCounts& paths);

}  // namespace emptor::retrieval
