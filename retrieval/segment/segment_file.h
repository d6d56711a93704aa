// The segments of a shop's index in one file, so that opening the shop analyses nothing anew.
// docs/formats/segment_file.md draws it.
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

/// Raise it when the file, or what is indexed of a record (passages.h), changes.
inline constexpr uint32_t kSegmentFileVersion = 3;

/// What a file is made from: `source` names the records (the caller's words), the embedder's model,
/// and how the analyzer reads a sample of text. All must be the same when it is used.
SealedFileKind SegmentFileKind(const Analyzer& analyzer, std::string_view model_id,
                               std::string_view source);

/// The segments with what is alive in each, the immutable part first, and bytes of the caller's.
struct StoredSegments {
  std::vector<SegmentView> views;
  std::string attachment;
};

absl::Status WriteSegments(std::span<const SegmentView> views, std::string_view attachment,
                           const SealedPayloadSink& sink);

/// Makes the vector part of segment `number` again.
using StoredVectorFactory = std::function<absl::StatusOr<std::unique_ptr<const VectorIndex>>(
    size_t number, std::span<const std::string> ids, QuantizedRows rows)>;

/// Checks everything that a search relies on. The inverted indexes are views into the payload.
/// Errors: kDataLoss (bytes that are no segments), and what the factory returns.
absl::StatusOr<StoredSegments> ReadSegments(const MappedPayload& payload, int dimension,
                                            const StoredVectorFactory& make_vectors);

}  // namespace emptor::retrieval
