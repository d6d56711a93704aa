// Private to catalog/storage: log of the batches of a store, kept for incremental backups. Format:
// docs/formats/catalog_store.md.
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

/// State of the log. Methods that change it add the change to a LevelDB batch; it takes effect when
/// the batch is written. Thread-safety: one thread at a time.
class ChangeLog {
 public:
  /// Errors: those of the read, kDataLoss.
  static absl::StatusOr<ChangeLog> Read(const Database& database);

  /// Every batch after this sequence number is kept; nothing when none is.
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

/// Visits the entries after `after` in order until `visit` returns false. Errors: kNotFound (the
/// first of them is missing), kDataLoss (one is damaged, or missing between two).
absl::Status ScanChangeLog(const Database& database, uint64_t after,
                           const std::function<bool(const BatchChanges&)>& visit);

}  // namespace emptor::catalog
