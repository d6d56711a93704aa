// A leveldb::Env whose disk fails when told to, and which can lose what was not synced.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "leveldb/env.h"

namespace emptor::testing {

/// Operations that may fail, counted together: everything that LevelDB asks of a disk. Left out are
/// what cannot fail in a way that matters (CreateDir, FileExists, GetChildren, GetFileSize: a wrong
/// answer shows in the operation that follows) and LockFile.
/// Thread-safety: as leveldb::Env.
class FaultEnv final : public leveldb::EnvWrapper {
 public:
  /// `base` is borrowed.
  explicit FaultEnv(leveldb::Env* base) : EnvWrapper(base) {}

  enum class Operation {
    kAppend = 1,  // also flushes and closes, which append what is buffered
    kSync = 2,
    kCreate = 4,  // opening for writing or appending
    kRename = 8,
    kRead = 16,  // opening for reading, and each read
    kRemove = 32,
  };

  /// From the `n`-th (from 1) operation of a kind in `mask` on, `count` operations of it fail.
  void FailFrom(uint64_t n, uint64_t count, unsigned mask, std::string message = "I/O error");
  void StopFailing() { FailFrom(0, 0, 0); }
  uint64_t operations() const;
  uint64_t failures() const;

  /// What a power cut leaves: every file is cut back to what was synced last.
  void LoseUnsyncedData();

  leveldb::Status NewSequentialFile(const std::string& name,
                                    leveldb::SequentialFile** file) override;
  leveldb::Status NewRandomAccessFile(const std::string& name,
                                      leveldb::RandomAccessFile** file) override;
  leveldb::Status NewWritableFile(const std::string& name, leveldb::WritableFile** file) override;
  leveldb::Status NewAppendableFile(const std::string& name, leveldb::WritableFile** file) override;
  leveldb::Status RenameFile(const std::string& from, const std::string& to) override;
  leveldb::Status RemoveFile(const std::string& name) override;

 private:
  class File;
  class SequentialReader;
  class RandomReader;
  leveldb::Status Count(Operation operation);
  leveldb::Status Wrap(const std::string& name, leveldb::Status status,
                       leveldb::WritableFile** file);
  void MarkSynced(const std::string& name);

  mutable std::mutex mutex_;
  uint64_t fail_from_ = 0;  // guarded by mutex_, as all below
  uint64_t fail_count_ = 0;
  unsigned fail_mask_ = 0;
  std::string message_;
  uint64_t matching_ = 0;
  uint64_t operations_ = 0;
  uint64_t failures_ = 0;
  std::map<std::string, uint64_t> synced_bytes_;
};

}  // namespace emptor::testing
