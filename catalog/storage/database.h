// Private to catalog/storage: an open LevelDB with its filter, cache and environment.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/storage/leveldb_support.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

namespace emptor::catalog {

/// Reads are correct or an error. Files are deleted only after ReleaseDeletes.
/// Thread-safety: as leveldb::DB. Lifetime: `env` outlives it.
class Database {
 public:
  struct Options {
    size_t write_buffer_bytes = 0;
    size_t block_cache_bytes = 0;
  };
  /// Creates the database when there is none. Errors: as FromLevelDb.
  static absl::StatusOr<std::shared_ptr<Database>> Open(leveldb::Env* env, const std::string& path,
                                                        const Options& options);

  /// Nothing when there is no such key. Errors: kDataLoss, kUnavailable.
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key) const;
  /// Visits the keys that begin with `prefix`, in byte order, until `visit` returns false.
  using Visitor = std::function<bool(std::string_view key, std::string_view value)>;
  absl::Status Scan(std::string_view prefix, const Visitor& visit) const {
    return ScanFrom(prefix, prefix, visit);
  }
  /// The same from key `first` on. REQUIRES: it begins with `prefix`.
  absl::Status ScanFrom(std::string_view prefix, std::string_view first,
                        const Visitor& visit) const;
  /// Returns once the batch is synced. Errors: as FromLevelDb.
  absl::Status WriteSynced(leveldb::WriteBatch& changes);
  /// Rewrites all tables without the values that were replaced or deleted. Blocks; reads and writes
  /// continue. Errors: as FromLevelDb.
  absl::Status Compact();
  void ReleaseDeletes() { env_.ReleaseDeletes(); }

 private:
  Database(leveldb::Env* env, std::string path) : path_(std::move(path)), env_(env) {}

  const std::string path_;
  GuardedEnv env_;
  std::unique_ptr<leveldb::Cache> cache_;
  std::unique_ptr<const leveldb::FilterPolicy> filter_;
  std::unique_ptr<leveldb::DB> db_;  // destroyed before filter, cache and env
};

}  // namespace emptor::catalog
