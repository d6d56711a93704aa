// Private to catalog/storage: LevelDB's statuses as absl::Status, an Env with guarded deletes, the
// seal file.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/storage/seal.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace emptor::catalog {

inline leveldb::Slice ToSlice(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view ToView(const leveldb::Slice& slice) { return {slice.data(), slice.size()}; }

/// Message: `where: LevelDB's message`. Damage is kDataLoss, a full disk (or a quota or file size
/// limit that is reached) kResourceExhausted, the rest kUnavailable.
absl::Status FromLevelDb(std::string_view where, const leveldb::Status& status);

/// Forwards every call but deletes, which wait until ReleaseDeletes. On open LevelDB deletes the
/// tables that its MANIFEST does not name, even if the MANIFEST is damaged. A file that is
/// rewritten in the meantime is not deleted: LevelDB reuses the number of a table that a crash left
/// unfinished. Thread-safety: as leveldb::Env.
class GuardedEnv final : public leveldb::EnvWrapper {
 public:
  explicit GuardedEnv(leveldb::Env* target) : EnvWrapper(target) {}
  leveldb::Status RemoveFile(const std::string& name) override;
  leveldb::Status NewWritableFile(const std::string& name, leveldb::WritableFile** file) override;
  leveldb::Status RenameFile(const std::string& from, const std::string& to) override;
  /// Executes the waiting deletes; later ones are forwarded.
  void ReleaseDeletes();

 private:
  void Keep(const std::string& name);

  std::mutex mutex_;
  bool released_ = false;       // guarded by mutex_
  std::set<std::string> held_;  // guarded by mutex_
};

/// The file SEAL: header, then one entry per acknowledged batch. It is rewritten when it has grown.
/// Thread-safety: one thread at a time.
class SealFile {
 public:
  /// `sync_directory`: the directory is on the file system and is synced after a rename.
  SealFile(leveldb::Env& env, std::string directory, SealIdentity identity, bool sync_directory);

  bool Exists() const;
  absl::StatusOr<SealLog> Read() const;
  /// Replaces the file by header and `seal`: temporary file, sync, rename, sync of the directory.
  absl::Status Rewrite(const Seal& seal);
  /// Appends `seal` and syncs it. REQUIRES: Rewrite or Append succeeded before.
  absl::Status Append(const Seal& seal);

  /// Checks whether `bytes` more fit on the disk by writing them next to the seal file. Errors: as
  /// FromLevelDb.
  absl::Status TryRoom(uint64_t bytes) const;

 private:
  absl::Status OpenForAppend();

  leveldb::Env& env_;
  std::string directory_;
  std::string path_;
  SealIdentity identity_;
  bool sync_directory_;
  std::unique_ptr<leveldb::WritableFile> file_;
  size_t entries_ = 0;
};

}  // namespace emptor::catalog
