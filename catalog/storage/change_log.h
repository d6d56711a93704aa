// Private to catalog/storage: the batches of a store, kept beside its records for backups.
// docs/formats/catalog_store.md draws the bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/storage/database.h"
#include "catalog/storage/record_batch.h"
#include "leveldb/write_batch.h"

namespace emptor::catalog {

/// Which batches are kept. Every method that changes it writes the change into a LevelDB batch: it
/// holds once that is written.
/// Thread-safety: one thread at a time.
class ChangeLog {
 public:
  /// Errors: those of the read, kDataLoss.
  static absl::StatusOr<ChangeLog> Read(const Database& database);

  /// The sequence behind which every batch is kept, if any is.
  std::optional<uint64_t> after() const { return after_; }
  /// Drawn at random by Begin.
  uint64_t lineage() const { return lineage_; }

  void Begin(uint64_t sequence, leveldb::WriteBatch& out);
  /// Keeps `batch`, or ends the log when it would be larger than `max_bytes`.
  absl::Status Append(const Database& database, const BatchChanges& batch, uint64_t max_bytes,
                      leveldb::WriteBatch& out);
  absl::Status Trim(const Database& database, uint64_t sequence, leveldb::WriteBatch& out);

 private:
  void PutState(leveldb::WriteBatch& out) const;
  /// Deletes the entries up to `sequence`.
  absl::Status Drop(const Database& database, uint64_t sequence, leveldb::WriteBatch& out);

  std::optional<uint64_t> after_;
  uint64_t bytes_ = 0;  // of the entries
  uint64_t lineage_ = 0;
};

/// Visits the entries behind `after` in order until `visit` returns false. Errors: kNotFound (the
/// first of them is missing), kDataLoss (one is damaged, or missing between two).
absl::Status ScanChangeLog(const Database& database, uint64_t after,
                           const std::function<bool(const BatchChanges&)>& visit);

}  // namespace emptor::catalog
