// Any bytes as the payload of a segment file with valid digests: refused, or safe to search. The
// same bytes as the words of a shop: refused, or they encode to the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/hybrid/snapshot_search.h"
#include "retrieval/segment/segment_file.h"
#include "retrieval/segment/word_state_codec.h"
#include "retrieval/vector/vector_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::retrieval;
  constexpr int kDimension = 4;
  static const Analyzer analyzer = *Analyzer::Create();
  const auto bytes = std::make_shared<const std::vector<uint8_t>>(data, data + size);
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto words = DecodeWordState(text)) {
    if (EncodeWordState(*words) != text) std::abort();
  }
  auto stored =
      ReadSegments({*bytes, bytes}, kDimension,
                   [](size_t, std::span<const std::string>,
                      QuantizedRows rows) -> absl::StatusOr<std::unique_ptr<const VectorIndex>> {
                     return std::make_unique<VectorIndex>(std::move(rows));
                   });
  if (!stored.ok()) return 0;
  const Snapshot snapshot{std::move(stored->views)};
  size_t live = 0;
  for (const SegmentView& view : snapshot.segments) live += view.live_count;
  for (const char* query_text : {"red kettle", "\"red kettle\" 2.5 l", "p1"}) {
    const SearchRequest request{.query = query_text, .filter = {.max_price = 5000}};
    const RewrittenQuery rewritten{.text = query_text};
    const SnapshotQuery query{
        .request = &request, .rewritten = &rewritten, .vector = {1, 0, 0, 0}, .now_unix = 0};
    PathCounts paths;
    const auto found = SearchSnapshot(snapshot, analyzer, {}, query, paths);
    if (found.ok() && found->hits.size() > live) std::abort();
  }
  return 0;
}
