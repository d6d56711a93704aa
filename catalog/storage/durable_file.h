// Files that are written completely or not at all.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::catalog {

/// The mode of files that their owner writes and all may read.
inline constexpr mode_t kSharedFile = 0644;

/// Writes a temporary file next to its path and renames it over the path when it is complete: a
/// crash leaves the old file or the new one. Without Publish the temporary file is removed. Errors
/// of all: kNotFound (no such directory), kPermissionDenied, kResourceExhausted (disk full),
/// kUnavailable (any other). Thread-safety: one thread at a time.
class DurableFile {
 public:
  /// `mode`: who may read and write the file.
  static absl::StatusOr<DurableFile> Create(const std::string& path, mode_t mode = kSharedFile);
  ~DurableFile();
  DurableFile(DurableFile&& other) noexcept;
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  /// Appends.
  absl::Status Write(const void* data, size_t size);
  /// Overwrites at `offset`.
  absl::Status Rewrite(uint64_t offset, const void* data, size_t size);
  /// Syncs it, renames it and syncs the directory. REQUIRES: called once.
  absl::Status Publish();

 private:
  DurableFile(std::string path, int descriptor);

  std::string path_, temporary_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

/// Writes `bytes` to `path` in this way.
absl::Status WriteFileDurably(const std::string& path, std::string_view bytes,
                              mode_t mode = kSharedFile);

/// Copies a file in this way.
absl::Status CopyFileDurably(const std::string& from, const std::string& to);

/// Publishes `file`, which another writer of streams has written as `temporary`.
absl::Status PublishFile(std::FILE* file, const std::string& temporary, const std::string& path);

/// Syncs a directory after a change of its names.
absl::Status SyncDirectory(const std::string& directory);

}  // namespace emptor::catalog
