// A verified key-value store on LevelDB, with the promises that LevelDB alone does not keep.
// The only place where LevelDB is spoken to: the catalog, caches and conversations all stand on it.
// docs/formats/catalog_store.md tells the files, docs/adr/0003-storage-promises.md the reasons.
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
  /// Name (at most 8 bytes) and version of what the records mean. A store of another name or of a
  /// newer version is refused.
  SealIdentity identity;
  /// Class of a record, 0 to kRecordClasses - 1, from its key: the seal counts each class apart.
  /// Null: all are class 0. Part of the format: it may not change within a content version.
  size_t (*class_of)(std::string_view key) = nullptr;
  bool create_if_missing = false;
  leveldb::Env* env = nullptr;  // borrowed, outlives the store; null: the file system
  size_t write_buffer_bytes = 64u << 20;
  size_t block_cache_bytes = 64u << 20;
  /// Bound of the change log (KeepChanges): when it has grown beyond, it ends.
  uint64_t max_change_log_bytes = 1u << 30;
};

/// Thread-safety: all methods from any thread; writes are serialised inside, reads never wait.
/// Promises:
/// - A read is right or an error: block checksums are verified on every read, the whole content was
///   verified against its seal (sequence, counts, digest) when the store was opened, and a scan
///   stops at the first damaged block instead of stepping over it.
/// - Write returns OK only after batch and seal are synced; such a batch survives kill -9 and power
///   loss, or the next Open says that it is gone.
/// - The first storage error, of a read or a write, makes the store read-only until it is opened
///   anew; reads go on. After a full disk Resume opens it anew in place.
class RecordStore {
 public:
  /// Files: `directory`/SEAL, `directory`/LOCK and `directory`/db/. A refused store is left as it
  /// is: no file is deleted before the content has been verified.
  /// Errors: kNotFound (no store there and create_if_missing is off), kUnavailable (another handle
  /// or process holds it, I/O error), kDataLoss (damaged: the message tells what is missing),
  /// kFailedPrecondition (another application or a newer format), kResourceExhausted (disk full).
  /// Cost: one scan; 30 MB take about 0.1 s.
  static absl::StatusOr<std::unique_ptr<RecordStore>> Open(const std::string& directory,
                                                           const RecordStoreOptions& options);
  ~RecordStore();
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  /// Nothing when there is no such key. Errors: kDataLoss, kUnavailable.
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key) const;

  /// Applies `batch` and syncs it; an empty batch does nothing. Errors: kFailedPrecondition
  /// (read-only after an earlier error), kDataLoss, kUnavailable, kResourceExhausted: the batch may
  /// or may not be there after the next Open, whole in either case.
  absl::Status Write(const RecordBatch& batch);

  /// Takes writes again after a full disk (a Write that gave kResourceExhausted): finds out whether
  /// there is room now, then opens and verifies the database anew; reads that come meanwhile wait.
  /// The batch that failed may be there afterwards or not, whole in either case. Does nothing when
  /// writes are taken. Errors: kResourceExhausted (still no room: reads go on), kUnavailable (a
  /// scan is under way), kFailedPrecondition (another error than a full disk: open the store anew),
  /// kDataLoss. Should the room vanish again in the very moment of opening, reads are refused with
  /// kUnavailable until a Resume succeeds.
  absl::Status Resume();

  /// Calls `visit(key, value)` for the keys that begin with `prefix`, in byte order, over one
  /// snapshot, until it returns false. On an error what was visited is right but not all.
  using Visitor = std::function<bool(std::string_view key, std::string_view value)>;
  absl::Status Scan(std::string_view prefix, const Visitor& visit) const;

  /// Visits every record, in key order, over one snapshot, and gives the seal of that moment.
  /// Writes go on meanwhile. Errors: as Scan; kDataLoss when what was visited is not what is
  /// sealed; kCancelled when `visit` returned false.
  absl::StatusOr<Seal> Export(const Visitor& visit) const;

  /// From here on the changes of each batch are kept, in the write that brings the batch, for
  /// incremental backups; until they are trimmed, or more than max_change_log_bytes: then none is
  /// kept. Gives the lineage of what is kept, a number drawn when the keeping began: batches of one
  /// lineage follow each other without a gap. Does nothing when changes are kept already.
  absl::StatusOr<uint64_t> KeepChanges();
  /// Visits the kept batches behind number `after`, in order, until `visit` returns false.
  /// Errors: kNotFound (batches right behind `after` are not kept), kDataLoss, kUnavailable.
  absl::Status ScanChanges(uint64_t after,
                           const std::function<bool(const BatchChanges&)>& visit) const;
  /// Forgets the kept batches up to number `sequence`.
  absl::Status TrimChanges(uint64_t sequence);

  /// The statement that the last acknowledged batch sealed.
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
