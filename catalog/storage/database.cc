// LevelDB with every check switched on.
#include "catalog/storage/database.h"

#include <utility>

namespace emptor::catalog {
namespace {

leveldb::ReadOptions PointRead() {
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  return options;
}

leveldb::ReadOptions ScanRead() {
  leveldb::ReadOptions options = PointRead();
  options.fill_cache = false;
  return options;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Database>> Database::Open(leveldb::Env* env, const std::string& path,
                                                         const Options& options) {
  constexpr int kFilterBitsPerKey = 10;
  constexpr size_t kMaxFileBytes = 16u << 20;
  std::shared_ptr<Database> database(new Database(env, path));
  database->cache_.reset(leveldb::NewLRUCache(options.block_cache_bytes));
  database->filter_.reset(leveldb::NewBloomFilterPolicy(kFilterBitsPerKey));
  leveldb::Options db_options;
  db_options.env = &database->env_;
  db_options.create_if_missing = true;  // the caller checked that it may be created
  db_options.paranoid_checks = true;
  db_options.write_buffer_size = options.write_buffer_bytes;
  db_options.max_file_size = kMaxFileBytes;
  db_options.block_cache = database->cache_.get();
  db_options.filter_policy = database->filter_.get();
  leveldb::DB* raw = nullptr;
  const leveldb::Status status = leveldb::DB::Open(db_options, path, &raw);
  database->db_.reset(raw);
  if (!status.ok()) return FromLevelDb(path, status);
  return database;
}

absl::StatusOr<std::optional<std::string>> Database::Get(std::string_view key) const {
  std::string value;
  const leveldb::Status status = db_->Get(PointRead(), ToSlice(key), &value);
  if (status.ok()) return std::optional<std::string>(std::move(value));
  if (status.IsNotFound()) return std::optional<std::string>();
  return FromLevelDb(path_, status);
}

absl::Status Database::ScanFrom(std::string_view prefix, std::string_view first,
                                const Visitor& visit) const {
  const std::unique_ptr<leveldb::Iterator> cursor(db_->NewIterator(ScanRead()));
  // LevelDB's iterator skips a damaged block and stays valid, so the status is checked at each
  // step.
  for (cursor->Seek(ToSlice(first)); cursor->Valid() && cursor->status().ok(); cursor->Next()) {
    const std::string_view key = ToView(cursor->key());
    if (!key.starts_with(prefix)) break;
    if (!visit(key, ToView(cursor->value()))) break;
  }
  return FromLevelDb(path_, cursor->status());
}

absl::Status Database::WriteSynced(leveldb::WriteBatch& changes) {
  leveldb::WriteOptions synced;
  synced.sync = true;
  return FromLevelDb(path_, db_->Write(synced, &changes));
}

absl::Status Database::Compact() {
  // A table is rewritten when one above it, in the direction of newer ones, overlaps it. Deleting
  // keys that no record has, before the first and after the last, makes a table over all others.
  // The first round writes the memory's content to a table, the second one merges it.
  const std::string last_key(32, '\xff');
  for (int round = 0; round < 2; ++round) {
    leveldb::WriteBatch ends;
    ends.Delete(leveldb::Slice("\0", 1));
    ends.Delete(last_key);
    if (absl::Status status = WriteSynced(ends); !status.ok()) return status;
    db_->CompactRange(nullptr, nullptr);
  }
  // An error of the compaction makes the next write fail.
  leveldb::WriteBatch nothing;
  return WriteSynced(nothing);
}

}  // namespace emptor::catalog
