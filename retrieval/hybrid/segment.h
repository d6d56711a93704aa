// A segment: the records that were indexed together, in every form that a search needs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/hybrid/filter_columns.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/hybrid/identifier_map.h"
#include "retrieval/lexical/inverted_index.h"
#include "retrieval/ranking/ranking_columns.h"
#include "retrieval/text/analyzer.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

/// Immutable. Position i of every part is the record ids[i].
/// Invariant: ids ascend strictly.
struct Segment {
  std::vector<std::string> ids;
  FilterColumns columns;
  IdentifierMap identifiers;
  RankingColumns ranking;
  InvertedIndex lexical;
  std::unique_ptr<const VectorIndex> vectors;

  size_t size() const { return ids.size(); }
  std::optional<uint32_t> Find(std::string_view id) const;
};

/// A segment and which of its records are still current. `live` is replaced, never changed.
struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const RecordSet> live;
  size_t live_count = 0;

  bool all_live() const { return live_count == segment->size(); }
};

/// Makes the vector part of a segment: `ids` and `rows` ([ids, dimension] f32) in position order.
using VectorIndexFactory = std::function<absl::StatusOr<std::unique_ptr<const VectorIndex>>(
    std::span<const std::string> ids, std::vector<float> rows)>;

/// What building needs to know.
struct SegmentBuildOptions {
  Bm25Options bm25;
  const LengthStatistics* averages = nullptr;  // null: those of the segment itself
  VectorIndexFactory make_vectors;
};

/// REQUIRES: records ascend strictly by id, vectors have the right length.
absl::StatusOr<std::shared_ptr<const Segment>> BuildSegment(const Analyzer& analyzer,
                                                            std::span<const IndexedProduct> records,
                                                            const SegmentBuildOptions& options);

/// The live records of `views` as one segment; equal to BuildSegment of the same records.
/// REQUIRES: no id is live in two views.
absl::StatusOr<std::shared_ptr<const Segment>> MergeSegments(std::span<const SegmentView> views,
                                                             const SegmentBuildOptions& options);

/// A view with every record live.
SegmentView ViewOf(std::shared_ptr<const Segment> segment);

}  // namespace emptor::retrieval
