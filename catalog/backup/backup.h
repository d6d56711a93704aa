// Online backups of a record store, and restores. A target holds base files, files of changes, and
// `backups.json`, which lists them in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/backup/backup_file.h"
#include "catalog/backup/backup_target.h"
#include "catalog/storage/record_store.h"

namespace emptor::catalog {

/// A file of a target, as `backups.json` lists it.
struct BackupEntry {
  std::string name;
  BackupKind kind = BackupKind::kBase;
  std::string lineage;  // of the store (RecordStore::KeepChanges), hexadecimal
  uint64_t after = 0;   // kChanges: the batch before its first one
  uint64_t to = 0;      // its last batch
  int64_t first_ms = 0, last_ms = 0;
  uint64_t entries = 0;
  uint64_t bytes = 0;
  std::string sha256;  // hexadecimal
};

/// All entries, oldest first; none when the target holds no backup.
/// Errors: of the target; kDataLoss (the list cannot be read).
absl::StatusOr<std::vector<BackupEntry>> ListBackups(BackupTarget& target,
                                                     const std::string& staging_directory);

struct BackupOptions {
  SealIdentity identity;          // of the store
  std::string staging_directory;  // has space for a compressed copy of the store
  bool full = false;              // write a base even if changes would suffice
  int keep_bases = 0;             // bases to keep, with the changes that follow them; 0: all
};

struct BackupReport {
  std::optional<BackupEntry> written;  // nothing: the target was up to date
  int removed = 0;                     // files of old bases
};

/// Writes what the target lacks: the batches since its last file if the store still keeps them,
/// otherwise a base. From then on the store keeps its changes. Reads and writes continue meanwhile.
/// If it fails or is killed, the earlier backups stay valid. Errors: of the store and the target;
/// kDataLoss.
absl::StatusOr<BackupReport> RunBackup(RecordStore& store, BackupTarget& target,
                                       const BackupOptions& options);

struct RestoreOptions {
  std::string directory;            // of the new store; must not exist
  std::string staging_directory;    // holds one file of the target at a time
  RecordStoreOptions store;         // how the store is opened
  std::optional<int64_t> until_ms;  // the state at that time; absent: the last one
};

struct RestoreReport {
  Seal seal;              // of the restored store; its sequence counts the restore's own batches
  uint64_t sequence = 0;  // the last batch of the old store that is in it
  int64_t time_ms = 0;    // when that was written
  /// The content matches the seal of the backup. False when the restored moment lies between two
  /// files, where there is no seal.
  bool is_sealed = false;
};

/// Builds the store next to `directory` and renames it at the end.
/// Errors: kFailedPrecondition (`directory` exists, another application, a newer format), kNotFound
/// (no backup, or none that old), kDataLoss (a file or the result does not match its seal).
absl::StatusOr<RestoreReport> Restore(BackupTarget& target, const RestoreOptions& options);

/// Reads every file of the target and compares it with its seal and the list; a base also with the
/// digest of its store. Errors: kNotFound (no backup), kDataLoss, naming the file.
absl::Status VerifyBackups(BackupTarget& target, const std::string& staging_directory);

}  // namespace emptor::catalog
