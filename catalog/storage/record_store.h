// A verified key-value store on LevelDB, with guarantees that LevelDB alone does not give. All uses
// of LevelDB go through it. Files: docs/formats/catalog_store.md; reasons:
// docs/adr/0003-storage-promises.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/storage/record_batch.h"
#include "catalog/storage/seal.h"

namespace leveldb {
class Env;
}

namespace emptor::catalog {

struct RecordStoreOptions {
  /// Name (at most 8 bytes) and version of the content format. A store of another name or of a
  /// newer version is refused.
  SealIdentity identity;
  /// Class of a record, 0 to kRecordClasses - 1, from its key: the seal counts each class
  /// separately. Null: all are class 0. It must not change within a content version.
  size_t (*class_of)(std::string_view key) = nullptr;
  bool create_if_missing = false;
  leveldb::Env* env = nullptr;  // borrowed, outlives the store; null: the file system
  size_t write_buffer_bytes = 64u << 20;
  size_t block_cache_bytes = 64u << 20;
  /// Limit of the change log (KeepChanges), which is dropped when it grows beyond.
  uint64_t max_change_log_bytes = 1u << 30;
};

/// Thread-safety: all methods from any thread; writes are serialised inside, reads never wait.
/// Guarantees:
/// - A read is correct or an error: block checksums are verified on every read, the whole content
///   was verified against its seal (sequence, counts, digest) when the store was opened, and a scan
///   stops at the first damaged block instead of skipping it.
/// - Write returns OK only after batch and seal are synced; such a batch survives kill -9 and power
///   loss, or the next Open says that it is gone.
/// - The first storage error, of a read or a write, makes the store read-only until it is reopened;
///   reads continue. After a full disk, Resume reopens it in place.
class RecordStore {
 public:
  /// Files: `directory`/SEAL, `directory`/LOCK and `directory`/db/. A refused store is not changed:
  /// no file is deleted before the content is verified. Errors: kNotFound (no store there and
  /// create_if_missing is off), kUnavailable (another handle or process holds it, I/O error),
  /// kDataLoss (damaged: the message names what is missing), kFailedPrecondition (another
  /// application or a newer format), kResourceExhausted (disk full). Cost: one scan; 30 MB take
  /// about 0.1 s.
  static absl::StatusOr<std::unique_ptr<RecordStore>> Open(const std::string& directory,
                                                           const RecordStoreOptions& options);
  ~RecordStore();
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  /// Nothing when there is no such key. Errors: kDataLoss, kUnavailable.
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key) const;

  /// Applies `batch` and syncs it; an empty batch does nothing. Errors: kFailedPrecondition
  /// (read-only after an earlier error), kDataLoss, kUnavailable, kResourceExhausted: after the
  /// next Open the batch is there completely or not at all.
  absl::Status Write(const RecordBatch& batch);

  /// Accepts writes again after a full disk (a Write that returned kResourceExhausted): checks for
  /// free space, then reopens and verifies the database; reads wait meanwhile. Afterwards the
  /// failed batch is there completely or not at all. Does nothing when writes are accepted. Errors:
  /// kResourceExhausted (still no space: reads continue), kUnavailable (a scan is running),
  /// kFailedPrecondition (another error than a full disk: reopen the store), kDataLoss. If the disk
  /// fills up again while reopening, reads return kUnavailable until a Resume succeeds.
  absl::Status Resume();

  /// Calls `visit(key, value)` for the keys that begin with `prefix`, in byte order, over one
  /// snapshot, until it returns false. On an error the visited records are correct but incomplete.
  using Visitor = std::function<bool(std::string_view key, std::string_view value)>;
  absl::Status Scan(std::string_view prefix, const Visitor& visit) const;
  /// The same from key `first` on. REQUIRES: it begins with `prefix`, which is not empty.
  absl::Status ScanFrom(std::string_view prefix, std::string_view first,
                        const Visitor& visit) const;

  /// Visits every record, in key order, over one snapshot, and returns the seal of that moment.
  /// Writes continue meanwhile. Errors: as Scan; kDataLoss when the records do not match the seal;
  /// kCancelled when `visit` returned false.
  absl::StatusOr<Seal> Export(const Visitor& visit) const;

  /// Starts keeping the changes of each batch for incremental backups, in the same write as the
  /// batch, until they are trimmed or exceed max_change_log_bytes, when all are dropped. Returns
  /// the lineage of the log, a random number: batches of one lineage follow each other without a
  /// gap. Does nothing when changes are kept already.
  absl::StatusOr<uint64_t> KeepChanges();
  /// Visits the kept batches after number `after`, in order, until `visit` returns false.
  /// Errors: kNotFound (the batch after `after` is not kept), kDataLoss, kUnavailable.
  absl::Status ScanChanges(uint64_t after,
                           const std::function<bool(const BatchChanges&)>& visit) const;
  /// Drops the kept batches up to number `sequence`.
  absl::Status TrimChanges(uint64_t sequence);

  /// Removes replaced and deleted values from the files, where they are readable until LevelDB
  /// happens to merge them. Blocks for as long as rewriting the store takes; reads and writes
  /// continue. Errors: as Write.
  absl::Status Compact();

  /// The seal of the last acknowledged batch.
  Seal seal() const;
  /// OK, or the error that made the store read-only.
  absl::Status health() const;
  /// For a reader that finds a value it cannot decode: makes the store read-only.
  void ReportDamage(const absl::Status& damage) const;

 private:
  struct Impl;
  explicit RecordStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::catalog
