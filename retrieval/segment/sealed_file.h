// A file that is either whole and meant, or refused: header, key, payload, and digests of all.
// Drawn in docs/formats/segment_file.md.
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

/// What a file is and what it belongs to. A file of another key is of no use.
struct SealedFileKind {
  std::string_view magic;  // 8 bytes
  uint32_t version = 0;
  std::string key;  // at most 64 KiB
};

/// Takes the payload piece by piece.
using SealedPayloadSink = std::function<absl::Status(const void* data, size_t size)>;

/// Writes beside `path`, syncs, renames to `path` and syncs the directory: after a crash the old
/// file or the new one is there, whole. `write_payload` is called once. Errors: kInvalidArgument
/// (kind), those of catalog::DurableFile, and what `write_payload` returns.
absl::Status WriteSealedFile(
    const std::string& path, const SealedFileKind& kind,
    const std::function<absl::Status(const SealedPayloadSink&)>& write_payload);

/// The payload of a file in memory that the kernel shares with its cache.
struct MappedPayload {
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;  // keeps `bytes` mapped
};

/// Maps the file and compares every digest before anybody parses a byte of the payload.
/// Errors: kNotFound, kUnavailable (file system), kDataLoss (damaged: says what),
/// kFailedPrecondition (sound, but of another version or key).
absl::StatusOr<MappedPayload> MapSealedFile(const std::string& path, const SealedFileKind& kind);

}  // namespace emptor::retrieval
