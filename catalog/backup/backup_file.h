// One file of a backup: all records of a store at one moment, or the batches between two moments.
// Format: docs/formats/backup.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/encoding/sha256.h"
#include "catalog/storage/record_batch.h"
#include "catalog/storage/seal.h"

namespace emptor::catalog {

enum class BackupKind : uint32_t { kBase = 1, kChanges = 2 };

/// Header and footer of a file.
struct BackupSeal {
  BackupKind kind = BackupKind::kBase;
  SealIdentity identity;
  uint64_t lineage = 0;  // of the store's kept changes (RecordStore::KeepChanges)
  uint64_t after = 0;    // kChanges: the batch before the first one
  Seal store;            // of the store after the last batch of the file
  int64_t first_ms = 0;  // when its first batch was written; kBase: when it was taken
  int64_t last_ms = 0;   // when its last batch was written
  uint64_t entries = 0;  // records, or batches
  uint64_t bytes = 0;    // of the whole file
  Digest digest{};       // SHA-256 of all bytes before it
};

/// Writes a file front to back. It appears under its name, complete and synced, when Finish
/// succeeds. Thread-safety: one thread.
class BackupWriter {
 public:
  /// Errors: kUnavailable, kResourceExhausted (disk full).
  /// Takes kind, identity, lineage and after from `begin`.
  static absl::StatusOr<std::unique_ptr<BackupWriter>> Create(const std::string& path,
                                                              const BackupSeal& begin);
  ~BackupWriter();

  absl::Status AddRecord(std::string_view key, std::string_view value);  // REQUIRES: kBase
  absl::Status AddBatch(const BatchChanges& batch);                      // REQUIRES: kChanges
  /// Closes the file with the seal of the store at its end.
  absl::StatusOr<BackupSeal> Finish(const Seal& store);

 private:
  struct Impl;
  explicit BackupWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Reads the whole file and verifies its checksums.
/// Errors: kNotFound, kDataLoss (cut, changed, not a backup), kFailedPrecondition (a newer format).
absl::StatusOr<BackupSeal> CheckBackupFile(const std::string& path);

/// Calls back for each record of a base, or each batch of changes, in order; an error of a callback
/// ends the reading and is returned. Errors: as CheckBackupFile, which it does first.
struct BackupVisitor {
  std::function<absl::Status(std::string_view key, std::string_view value)> on_record;
  std::function<absl::Status(const BatchChanges&)> on_batch;
};
absl::StatusOr<BackupSeal> ReadBackupFile(const std::string& path, const BackupVisitor& visitor);

}  // namespace emptor::catalog
