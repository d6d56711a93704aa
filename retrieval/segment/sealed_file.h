// A file with a header, a key, a payload and digests of all; refused unless every digest matches.
// Layout: docs/formats/segment_file.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::retrieval {

/// Type and version of a file, and the key of the data that it was made from.
struct SealedFileKind {
  std::string_view magic;  // 8 bytes
  uint32_t version = 0;
  std::string key;  // at most 64 KiB
};

/// Receives the payload piece by piece.
using SealedPayloadSink = std::function<absl::Status(const void* data, size_t size)>;

/// Writes a temporary file, syncs it, renames it to `path` and syncs the directory: after a crash
/// either the old or the new file exists, complete. `write_payload` is called once. Errors:
/// kInvalidArgument (kind), those of catalog::DurableFile, and what `write_payload` returns.
absl::Status WriteSealedFile(
    const std::string& path, const SealedFileKind& kind,
    const std::function<absl::Status(const SealedPayloadSink&)>& write_payload);

/// The memory-mapped payload of a file.
struct MappedPayload {
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;  // keeps `bytes` mapped
};

/// Maps the file and verifies every digest before a byte of the payload is parsed.
/// Errors: kNotFound, kUnavailable (file system), kDataLoss (damaged; the message says where),
/// kFailedPrecondition (intact, but of another version or key).
absl::StatusOr<MappedPayload> MapSealedFile(const std::string& path, const SealedFileKind& kind);

}  // namespace emptor::retrieval
