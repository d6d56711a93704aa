// The segments of a shop's index in one file, so that opening the shop analyzes no text.
// Layout: docs/formats/segment_file.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/segment/sealed_file.h"
#include "retrieval/segment/segment.h"

namespace emptor::retrieval {

/// Raise it when the layout, or the indexed text of a record (passages.h), changes.
inline constexpr uint32_t kSegmentFileVersion = 3;

/// The key of a file: `source`, by which the caller identifies the records, the embedder's model,
/// and a digest of the analyzer's terms for a sample text. A file is used only with an equal key.
SealedFileKind SegmentFileKind(const Analyzer& analyzer, std::string_view model_id,
                               std::string_view source);

/// The segments with their live records, the immutable part first, and the caller's bytes.
struct StoredSegments {
  std::vector<SegmentView> views;
  std::string attachment;
};

absl::Status WriteSegments(std::span<const SegmentView> views, std::string_view attachment,
                           const SealedPayloadSink& sink);

/// Builds the vector index of segment `number`.
using StoredVectorFactory = std::function<absl::StatusOr<std::unique_ptr<const VectorIndex>>(
    size_t number, std::span<const std::string> ids, QuantizedRows rows)>;

/// Validates everything that a search relies on. The inverted indexes are views into the payload.
/// Errors: kDataLoss (malformed bytes), and those of the factory.
absl::StatusOr<StoredSegments> ReadSegments(const MappedPayload& payload, int dimension,
                                            const StoredVectorFactory& make_vectors);

}  // namespace emptor::retrieval
