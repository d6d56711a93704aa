// Restores backups and verifies them.
#include <filesystem>
#include <limits>
#include <utility>

#include "catalog/backup/backup.h"
#include "catalog/backup/backup_list.h"
#include "catalog/backup/staged_file.h"
#include "catalog/storage/durable_file.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kRecordsPerBatch = 1000;

absl::Status NoBackup(const BackupTarget& target) {
  return absl::NotFoundError(fmt::format("backup: {}: no backup there", target.Describe()));
}

/// Fetches `entry` and reads it; its bytes must match the list.
absl::StatusOr<BackupSeal> Replay(BackupTarget& target, const std::string& staging,
                                  const BackupEntry& entry, const BackupVisitor& visitor) {
  const StagedFile file(staging);
  if (absl::Status got = target.Get(entry.name, file.path()); !got.ok()) return got;
  auto seal = CheckBackupFile(file.path());
  if (seal.ok() && !Agrees(entry, *seal)) {
    seal = absl::DataLossError("is not the file that backups.json lists");
  }
  if (seal.ok()) seal = ReadBackupFile(file.path(), visitor);
  if (seal.ok()) return seal;
  return absl::Status(seal.status().code(),
                      fmt::format("backup: {}/{}: {}", target.Describe(), entry.name,
                                  std::string(seal.status().message())));
}

/// Writes a base and the changes after it into a new store.
class Rebuilder {
 public:
  Rebuilder(RecordStore& store, int64_t until_ms) : store_(store), until_ms_(until_ms) {}

  absl::Status Take(BackupTarget& target, const std::string& staging, const BackupEntry& entry) {
    const auto seal = Replay(target, staging, entry,
                             {[this](std::string_view key, std::string_view value) {
                                pending_.Put(std::string(key), std::string(value));
                                return FlushFrom(kRecordsPerBatch);
                              },
                              [this](const BatchChanges& batch) { return Apply(batch); }});
    if (!seal.ok()) return seal.status();
    if (absl::Status status = FlushFrom(1); !status.ok()) return status;
    if (is_over_) return absl::OkStatus();
    sequence_ = seal->store.sequence;
    time_ms_ = seal->last_ms;
    const Seal found = store_.seal();
    is_sealed_ = found.counts == seal->store.counts && found.digest == seal->store.digest;
    if (is_sealed_) return absl::OkStatus();
    return absl::DataLossError(
        fmt::format("backup: {}: batch {}: the restored records do not have the sealed digest",
                    entry.name, sequence_));
  }

  RestoreReport report() const { return {store_.seal(), sequence_, time_ms_, is_sealed_}; }
  /// Whether the remaining batches are later than the wanted time.
  bool is_over() const { return is_over_; }

 private:
  absl::Status Apply(const BatchChanges& batch) {
    is_over_ = is_over_ || batch.time_unix_ms > until_ms_;
    if (is_over_) return absl::OkStatus();
    is_sealed_ = false;
    sequence_ = batch.sequence;
    time_ms_ = batch.time_unix_ms;
    for (const RecordBatch::Change& change : batch.changes) {
      if (change.value) {
        pending_.Put(change.key, *change.value);
      } else {
        pending_.Delete(change.key);
      }
    }
    return FlushFrom(kRecordsPerBatch);
  }
  absl::Status FlushFrom(size_t changes) {
    if (pending_.changes().size() < changes) return absl::OkStatus();
    return store_.Write(std::exchange(pending_, {}));
  }

  RecordStore& store_;
  const int64_t until_ms_;
  RecordBatch pending_;
  uint64_t sequence_ = 0;
  int64_t time_ms_ = 0;
  bool is_sealed_ = false;
  bool is_over_ = false;
};

/// Whether `entry` starts where `before` ended.
bool Follows(const BackupEntry& entry, const BackupEntry& before) {
  return entry.after == before.to && entry.lineage == before.lineage;
}

absl::StatusOr<RestoreReport> RebuildAt(const std::string& directory, BackupTarget& target,
                                        const RestoreOptions& options,
                                        const std::vector<BackupEntry>& entries, size_t base) {
  RecordStoreOptions store_options = options.store;
  store_options.create_if_missing = true;
  const auto store = RecordStore::Open(directory, store_options);
  if (!store.ok()) return store.status();
  Rebuilder rebuilder(**store, options.until_ms.value_or(std::numeric_limits<int64_t>::max()));
  for (size_t i = base; i < entries.size() && !rebuilder.is_over(); ++i) {
    if (i > base && entries[i].kind == BackupKind::kBase) break;
    if (i > base && !Follows(entries[i], entries[i - 1])) {
      return absl::DataLossError(fmt::format("backup: {}: {} does not follow {}", target.Describe(),
                                             entries[i].name, entries[i - 1].name));
    }
    absl::Status status = rebuilder.Take(target, options.staging_directory, entries[i]);
    if (!status.ok()) return status;
  }
  return rebuilder.report();
}

bool IsFree(const std::string& directory) {
  std::error_code error;
  return !std::filesystem::exists(directory, error) || std::filesystem::is_empty(directory, error);
}

}  // namespace

absl::StatusOr<RestoreReport> Restore(BackupTarget& target, const RestoreOptions& options) {
  namespace fs = std::filesystem;
  if (!IsFree(options.directory)) {
    return absl::FailedPreconditionError(
        fmt::format("restore: {}: already exists", options.directory));
  }
  const auto entries = ListBackups(target, options.staging_directory);
  if (!entries.ok()) return entries.status();
  if (entries->empty()) return NoBackup(target);
  const size_t base = FindBase(*entries, options.until_ms);
  if (base == entries->size()) {
    return absl::NotFoundError(
        fmt::format("restore: {}: no backup is that old", target.Describe()));
  }
  const std::string building = options.directory + ".restoring";
  std::error_code error;
  fs::remove_all(building, error);
  auto report = RebuildAt(building, target, options, *entries, base);
  if (!report.ok()) {
    fs::remove_all(building, error);
    return report;
  }
  fs::remove(options.directory, error);  // an empty directory
  fs::rename(building, options.directory, error);
  if (error) {
    return absl::UnavailableError(
        fmt::format("restore: {}: {}", options.directory, error.message()));
  }
  const std::string parent = fs::path(options.directory).parent_path().string();
  if (absl::Status synced = SyncDirectory(parent.empty() ? "." : parent); !synced.ok()) {
    return synced;
  }
  return report;
}

absl::Status VerifyBackups(BackupTarget& target, const std::string& staging_directory) {
  const auto entries = ListBackups(target, staging_directory);
  if (!entries.ok()) return entries.status();
  if (entries->empty()) return NoBackup(target);
  for (const BackupEntry& entry : *entries) {
    SetDigest found;
    const auto seal = Replay(target, staging_directory, entry,
                             {[&](std::string_view key, std::string_view value) {
                                found.Add(key, value);
                                return absl::OkStatus();
                              },
                              [](const BatchChanges&) { return absl::OkStatus(); }});
    if (!seal.ok()) return seal.status();
    if (seal->kind == BackupKind::kBase && !(found == seal->store.digest)) {
      return absl::DataLossError(
          fmt::format("backup: {}/{}: its records do not have the sealed digest", target.Describe(),
                      entry.name));
    }
  }
  return absl::OkStatus();
}

}  // namespace emptor::catalog
