// Private to catalog/storage: members of a RecordStore.
#pragma once

#include <cassert>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "catalog/storage/change_log.h"
#include "catalog/storage/database.h"
#include "catalog/storage/record_store.h"

namespace emptor::catalog {

// The store's own record: header and entry of the seal, part of every batch. Sorts first.
inline constexpr std::string_view kSealKey("\0seal", 5);

inline bool IsOwnKey(std::string_view key) { return !key.empty() && key[0] == '\0'; }

struct RecordStore::Impl {
  Impl(std::string directory_in, const RecordStoreOptions& options_in)
      : directory(std::move(directory_in)),
        options(options_in),
        base_env(options.env != nullptr ? options.env : leveldb::Env::Default()),
        seal_file(*base_env, directory, options.identity, options.env == nullptr) {}
  ~Impl();

  std::string db_path() const { return directory + "/db"; }
  absl::Status CreateDirectory() const;
  absl::Status Lock();
  bool AnythingThere() const;
  absl::Status CheckFilesBeforeOpen();
  absl::Status CheckIdentity(const SealIdentity& found) const;
  absl::StatusOr<Seal> ReadSealRecord(const Database& database) const;
  absl::Status CompareWithSealFile(const Seal& found) const;
  absl::Status CompareWithMemory(const Seal& found) const;
  absl::Status VerifyContent(const Database& database, const Seal& expected) const;
  absl::Status OpenDatabase();
  absl::Status Open();
  absl::Status TryRoomToReopen() const;
  absl::Status Reopen();

  size_t ClassOf(std::string_view key) const {
    const size_t record_class = options.class_of != nullptr ? options.class_of(key) : 0;
    assert(record_class < kRecordClasses);
    return record_class;
  }
  absl::StatusOr<std::shared_ptr<Database>> TakeDatabase() const;
  absl::Status ApplyToSeal(const Database& database, std::string_view key,
                           const std::optional<std::string>& value, Seal& next) const;
  using LastChanges = std::map<std::string_view, const std::optional<std::string>*>;
  static BatchChanges Listed(uint64_t sequence, const LastChanges& changes);
  absl::Status WriteLocked(const RecordBatch& batch);
  absl::Status ChangeLogLocked(
      const std::function<absl::Status(const Database&, leveldb::WriteBatch&)>& change);
  std::string SealRecord(const Seal& value) const {
    return EncodeSealHeader(options.identity) + EncodeSealEntry(value);
  }

  absl::Status health() const {
    std::lock_guard lock(state_mutex);
    return first_error;
  }
  // Keeps the first error and returns `error`.
  absl::Status Break(absl::Status error) const {
    std::lock_guard lock(state_mutex);
    if (first_error.ok()) first_error = error;
    return error;
  }

  const std::string directory;
  const RecordStoreOptions options;
  leveldb::Env* const base_env;
  SealFile seal_file;    // guarded by write_mutex after Open
  SealLog acknowledged;  // content of SEAL when the store was opened
  leveldb::FileLock* lock_file = nullptr;

  std::mutex write_mutex;          // held for a whole Write or Resume
  mutable std::mutex state_mutex;  // never held while calling out
  std::shared_ptr<Database> db;    // guarded by state_mutex; null only during Resume
  bool reopening = false;          // guarded by state_mutex
  mutable std::condition_variable reopened;
  Seal sealed;                       // guarded by state_mutex
  ChangeLog change_log;              // guarded by write_mutex after Open
  mutable absl::Status first_error;  // guarded by state_mutex
};

}  // namespace emptor::catalog
