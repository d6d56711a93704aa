// A segment: records that were indexed together, with their lexical, vector and filter indexes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/filter/filter_columns.h"
#include "retrieval/lexical/inverted_index.h"
#include "retrieval/segment/identifier_map.h"
#include "retrieval/segment/indexed_product.h"
#include "retrieval/segment/item_groups.h"
#include "retrieval/text/analyzer.h"
#include "retrieval/vector/vector_index.h"

namespace emptor::retrieval {

/// Immutable. Position i of every part belongs to the record ids[i].
/// Invariant: ids ascend strictly.
struct Segment {
  std::vector<std::string> ids;
  FilterColumns columns;
  IdentifierMap identifiers;
  ItemGroups groups;
  InvertedIndex lexical;
  std::unique_ptr<const VectorIndex> vectors;

  size_t bytes = 0;  // memory, estimated for budgets; set by CountBytes

  size_t size() const { return ids.size(); }
  void CountBytes();  // linear in the distinct texts
  std::optional<uint32_t> Find(std::string_view id) const;
};

/// A segment, its live records, and their inventory if it changed after indexing. `live` and
/// `changed` are replaced, never modified.
struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const RecordSet> live;
  size_t live_count = 0;
  std::shared_ptr<const FilterColumns> changed = {};  // null: segment->columns

  const FilterColumns& columns() const { return changed ? *changed : segment->columns; }
  bool all_live() const { return live_count == segment->size(); }
};

/// Builds the vector index of a segment; `ids` and `rows` are in position order.
using VectorIndexFactory = std::function<absl::StatusOr<std::unique_ptr<const VectorIndex>>(
    std::span<const std::string> ids, QuantizedRows rows, const std::stop_token& stop)>;

/// A row of an existing vector index.
struct RowSource {
  const QuantizedRows* rows = nullptr;
  uint32_t position = 0;
};

/// Options of BuildSegment and MergeSegments.
struct SegmentBuildOptions {
  Bm25Options bm25;
  const LengthStatistics* averages = nullptr;  // null: those of the segment itself
  int dimension = 0;
  VectorIndexFactory make_vectors;
  /// Finds the row to copy for a record with an empty vector.
  std::function<RowSource(const std::string& id)> find_row;
  std::stop_token stop;  // ends MergeSegments with kCancelled
};

/// REQUIRES: records ascend strictly by id; each has a vector of the right length or a row that
/// find_row returns.
absl::StatusOr<std::shared_ptr<const Segment>> BuildSegment(const Analyzer& analyzer,
                                                            std::span<const IndexedProduct> records,
                                                            const SegmentBuildOptions& options);

/// The live records of `views` as one segment, equal to BuildSegment of the same records.
/// REQUIRES: no id is live in two views. Errors: kCancelled, those of make_vectors.
absl::StatusOr<std::shared_ptr<const Segment>> MergeSegments(std::span<const SegmentView> views,
                                                             const SegmentBuildOptions& options);

/// A view with every record live.
SegmentView ViewOf(std::shared_ptr<const Segment> segment);

}  // namespace emptor::retrieval
