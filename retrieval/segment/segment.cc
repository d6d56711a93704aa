// Building and merging of segments.
#include "retrieval/segment/segment.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "retrieval/byte_count.h"
#include "retrieval/lexical/index_builder.h"
#include "retrieval/segment/passages.h"

namespace emptor::retrieval {
namespace {

/// The position of a live record before the merge.
struct Origin {
  const std::string* id;
  size_t view;
  uint32_t record;
};

std::vector<Origin> LiveRecordsById(std::span<const SegmentView> views) {
  std::vector<Origin> origins;
  for (size_t v = 0; v < views.size(); ++v) {
    const Segment& segment = *views[v].segment;
    views[v].live->ForEach([&](uint32_t r) { origins.push_back({&segment.ids[r], v, r}); });
  }
  std::sort(origins.begin(), origins.end(),
            [](const Origin& a, const Origin& b) { return *a.id < *b.id; });
  return origins;
}

}  // namespace

std::optional<uint32_t> Segment::Find(std::string_view id) const {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<uint32_t>(found - ids.begin());
}

void Segment::CountBytes() {
  bytes = ByteCount(ids) + columns.byte_size() + identifiers.byte_size() + groups.byte_size() +
          lexical.byte_size() + vectors->byte_size();
}

absl::StatusOr<std::shared_ptr<const Segment>> BuildSegment(const Analyzer& analyzer,
                                                            std::span<const IndexedProduct> records,
                                                            const SegmentBuildOptions& options) {
  auto segment = std::make_shared<Segment>();
  InvertedIndexBuilder lexical(options.bm25);
  QuantizedRows rows(options.dimension);
  rows.Reserve(records.size());
  for (const IndexedProduct& record : records) {
    const catalog::Product& product = record.product;
    assert(segment->ids.empty() || segment->ids.back() < product.id);
    const auto position = static_cast<uint32_t>(segment->size());
    const RecordPassages passages = MakePassages(product);
    lexical.Add(analyzer, {product.title, product.brand, passages.categories, passages.attributes,
                           product.description});
    segment->ids.push_back(product.id);
    segment->columns.Add(MakeFilterRow(product));
    segment->groups.Add(HashItemGroup(product.item_group_id));
    segment->identifiers.Add(product, position);
    if (!record.vector.empty()) {
      rows.Add(record.vector);
    } else {
      const RowSource source = options.find_row(product.id);
      rows.AddFrom(*source.rows, source.position);
    }
  }
  segment->identifiers.Seal();
  segment->groups.Seal();
  segment->lexical = std::move(lexical).Seal(options.averages);
  auto vectors = options.make_vectors(segment->ids, std::move(rows), options.stop);
  if (!vectors.ok()) return vectors.status();
  segment->vectors = *std::move(vectors);
  segment->CountBytes();
  return segment;
}

absl::StatusOr<std::shared_ptr<const Segment>> MergeSegments(std::span<const SegmentView> views,
                                                             const SegmentBuildOptions& options) {
  const std::vector<Origin> origins = LiveRecordsById(views);
  std::vector<std::vector<uint32_t>> new_positions;
  for (const SegmentView& view : views) {
    new_positions.emplace_back(view.segment->size(), InvertedIndexBuilder::kDropped);
  }
  auto merged = std::make_shared<Segment>();
  std::vector<FilterColumns::Origin> column_origins;
  QuantizedRows rows(options.dimension);
  rows.Reserve(origins.size());
  for (const Origin& origin : origins) {
    const Segment& source = *views[origin.view].segment;
    new_positions[origin.view][origin.record] = static_cast<uint32_t>(merged->size());
    merged->ids.push_back(*origin.id);
    merged->groups.Add(source.groups.group(origin.record));
    column_origins.push_back({origin.view, origin.record});
    rows.AddFrom(source.vectors->rows(), origin.record);
  }
  std::vector<const FilterColumns*> columns;
  for (const SegmentView& view : views) columns.push_back(&view.columns());
  merged->columns = FilterColumns::Merge(columns, column_origins);
  InvertedIndexBuilder lexical(options.bm25);
  for (size_t v = 0; v < views.size(); ++v) {
    if (options.stop.stop_requested()) return absl::CancelledError("merge: stopped");
    lexical.AddSegment(views[v].segment->lexical, new_positions[v]);
    merged->identifiers.AddFrom(views[v].segment->identifiers, new_positions[v]);
  }
  merged->identifiers.Seal();
  merged->groups.Seal();
  merged->lexical = std::move(lexical).Seal(options.averages);
  auto vectors = options.make_vectors(merged->ids, std::move(rows), options.stop);
  if (!vectors.ok()) return vectors.status();
  merged->vectors = *std::move(vectors);
  merged->CountBytes();
  return merged;
}

SegmentView ViewOf(std::shared_ptr<const Segment> segment) {
  const size_t size = segment->size();
  return {.segment = std::move(segment),
          .live = std::make_shared<RecordSet>(size, true),
          .live_count = size};
}

}  // namespace emptor::retrieval
