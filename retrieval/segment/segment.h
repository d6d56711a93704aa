// A segment: the records that were indexed together, in every form that a search needs.
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

/// Immutable. Position i of every part is the record ids[i].
/// Invariant: ids ascend strictly.
struct Segment {
  std::vector<std::string> ids;
  FilterColumns columns;
  IdentifierMap identifiers;
  ItemGroups groups;
  InvertedIndex lexical;
  std::unique_ptr<const VectorIndex> vectors;

  size_t bytes = 0;  // in memory, near enough for a budget; counted once it is whole

  size_t size() const { return ids.size(); }
  void CountBytes();  // linear in the distinct texts
  std::optional<uint32_t> Find(std::string_view id) const;
};

/// A segment, which of its records are still current, and what has changed of them since without
/// their text. `live` and `changed` are replaced, never changed.
struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const RecordSet> live;
  size_t live_count = 0;
  std::shared_ptr<const FilterColumns> changed = {};  // null: segment->columns as they were made

  const FilterColumns& columns() const { return changed ? *changed : segment->columns; }
  bool all_live() const { return live_count == segment->size(); }
};

/// Makes the vector part of a segment: `ids` and `rows` in position order.
using VectorIndexFactory = std::function<absl::StatusOr<std::unique_ptr<const VectorIndex>>(
    std::span<const std::string> ids, QuantizedRows rows, const std::stop_token& stop)>;

/// A row of an index that exists.
struct RowSource {
  const QuantizedRows* rows = nullptr;
  uint32_t position = 0;
};

/// What building needs to know.
struct SegmentBuildOptions {
  Bm25Options bm25;
  const LengthStatistics* averages = nullptr;  // null: those of the segment itself
  int dimension = 0;
  VectorIndexFactory make_vectors;
  /// Where the vector of a record without one is copied from.
  std::function<RowSource(const std::string& id)> find_row;
  std::stop_token stop;  // ends MergeSegments with kCancelled
};

/// REQUIRES: records ascend strictly by id, vectors have the right length or find_row has them.
absl::StatusOr<std::shared_ptr<const Segment>> BuildSegment(const Analyzer& analyzer,
                                                            std::span<const IndexedProduct> records,
                                                            const SegmentBuildOptions& options);

/// The live records of `views` as one segment; equal to BuildSegment of the same records.
/// REQUIRES: no id is live in two views. Errors: kCancelled, those of make_vectors.
absl::StatusOr<std::shared_ptr<const Segment>> MergeSegments(std::span<const SegmentView> views,
                                                             const SegmentBuildOptions& options);

/// A view with every record live.
SegmentView ViewOf(std::shared_ptr<const Segment> segment);

}  // namespace emptor::retrieval
