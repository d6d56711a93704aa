// Taking backups.
#include "catalog/backup/backup.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "catalog/backup/backup_list.h"
#include "catalog/backup/staged_file.h"
#include "catalog/storage/durable_file.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

/// Everything, at one moment.
absl::StatusOr<BackupSeal> WriteBase(const RecordStore& store, const BackupSeal& begin,
                                     const std::string& path) {
  auto writer = BackupWriter::Create(path, begin);
  if (!writer.ok()) return writer.status();
  absl::Status added;
  const absl::StatusOr<Seal> seal = store.Export([&](std::string_view key, std::string_view value) {
    added = (*writer)->AddRecord(key, value);
    return added.ok();
  });
  if (!added.ok()) return added;
  if (!seal.ok()) return seal.status();
  return (*writer)->Finish(*seal);
}

/// The batches after begin.after. Errors: kNotFound when the store does not keep them.
absl::StatusOr<BackupSeal> WriteChanges(const RecordStore& store, const BackupSeal& begin,
                                        const std::string& path) {
  const uint64_t after = begin.after;
  auto writer = BackupWriter::Create(path, begin);
  if (!writer.ok()) return writer.status();
  const Seal seal = store.seal();  // batches that come later wait for the next backup
  absl::Status added;
  uint64_t last = after;
  const absl::Status scanned = store.ScanChanges(after, [&](const BatchChanges& batch) {
    if (batch.sequence > seal.sequence) return false;
    last = batch.sequence;
    added = (*writer)->AddBatch(batch);
    return added.ok();
  });
  if (!added.ok()) return added;
  if (!scanned.ok()) return scanned;
  if (last != seal.sequence) {
    return absl::NotFoundError(fmt::format("the batches after {} are not kept", last));
  }
  return (*writer)->Finish(seal);
}

std::vector<BackupEntry> TakeOldChains(int keep_bases, std::vector<BackupEntry>& entries) {
  if (keep_bases <= 0) return {};
  size_t first = entries.size();
  for (int bases = 0; first > 0 && bases < keep_bases;) {
    --first;
    if (entries[first].kind == BackupKind::kBase) ++bases;
  }
  const auto kept = entries.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<BackupEntry> old(entries.begin(), kept);
  entries.erase(entries.begin(), kept);
  return old;
}

absl::Status PutList(const std::vector<BackupEntry>& entries, const std::string& staging,
                     BackupTarget& target) {
  const StagedFile file(staging);
  if (absl::Status status = WriteFileDurably(file.path(), EncodeBackupList(entries)); !status.ok())
    return status;
  return target.Put(kBackupListName, file.path());
}

}  // namespace

absl::StatusOr<std::vector<BackupEntry>> ListBackups(BackupTarget& target,
                                                     const std::string& staging_directory) {
  const StagedFile file(staging_directory);
  const absl::Status got = target.Get(kBackupListName, file.path());
  if (absl::IsNotFound(got)) return std::vector<BackupEntry>();
  if (!got.ok()) return got;
  std::ifstream stream(file.path(), std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  auto entries = DecodeBackupList(text.str());
  if (entries.ok()) return entries;
  return absl::Status(
      entries.status().code(),
      fmt::format("backup: {}/{}", target.Describe(), std::string(entries.status().message())));
}

absl::StatusOr<BackupReport> RunBackup(RecordStore& store, BackupTarget& target,
                                       const BackupOptions& options) {
  auto entries = ListBackups(target, options.staging_directory);
  if (!entries.ok()) return entries.status();
  const absl::StatusOr<uint64_t> lineage = store.KeepChanges();
  if (!lineage.ok()) return lineage.status();
  const StagedFile file(options.staging_directory);
  absl::StatusOr<BackupSeal> seal = absl::NotFoundError("nothing that changes could follow");
  BackupReport report;
  BackupSeal begin;
  begin.identity = options.identity;
  begin.lineage = *lineage;
  if (!options.full && !entries->empty() && entries->back().lineage == LineageName(*lineage)) {
    begin.kind = BackupKind::kChanges;
    begin.after = entries->back().to;
    seal = WriteChanges(store, begin, file.path());
    if (seal.ok() && seal->entries == 0) return report;
  }
  if (absl::IsNotFound(seal.status())) {
    begin.kind = BackupKind::kBase;
    begin.after = 0;
    seal = WriteBase(store, begin, file.path());
  }
  if (!seal.ok()) return seal.status();

  BackupEntry entry = MakeBackupEntry(*seal);
  entry.name = fmt::format("{}-{}-{}.ebk", entry.kind == BackupKind::kBase ? "base" : "changes",
                           entry.to, entry.sha256.substr(0, 12));
  if (absl::Status status = target.Put(entry.name, file.path()); !status.ok()) return status;
  entries->push_back(entry);
  const std::vector<BackupEntry> old = TakeOldChains(options.keep_bases, *entries);
  absl::Status status = PutList(*entries, options.staging_directory, target);
  if (status.ok()) status = store.TrimChanges(entry.to);
  for (const BackupEntry& gone : old) {
    if (status.ok()) status = target.Remove(gone.name);
  }
  if (!status.ok()) return status;
  report.written = std::move(entry);
  report.removed = static_cast<int>(old.size());
  return report;
}

}  // namespace emptor::catalog
