// Statuses, guarded deletes, and the seal file through LevelDB's Env (so that tests can break it).
#include "catalog/storage/leveldb_support.h"

#include <utility>

#include "catalog/storage/durable_file.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kMaxEntries = 4096;  // 256 KiB, then the file is rewritten

}  // namespace

absl::Status FromLevelDb(std::string_view where, const leveldb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const std::string text = status.ToString();
  const std::string message = fmt::format("{}: {}", where, text);
  for (const char* full : {"No space left", "Disk quota exceeded", "File too large"}) {
    if (text.find(full) != std::string::npos) return absl::ResourceExhaustedError(message);
  }
  const bool missing_file = text.find("No such file") != std::string::npos;
  if (missing_file || !status.IsIOError()) return absl::DataLossError(message);
  return absl::UnavailableError(message);
}

leveldb::Status GuardedEnv::RemoveFile(const std::string& name) {
  {
    std::lock_guard lock(mutex_);
    if (!released_) {
      held_.insert(name);
      return leveldb::Status::OK();
    }
  }
  return target()->RemoveFile(name);
}

void GuardedEnv::Keep(const std::string& name) {
  std::lock_guard lock(mutex_);
  held_.erase(name);
}

leveldb::Status GuardedEnv::NewWritableFile(const std::string& name, leveldb::WritableFile** file) {
  Keep(name);
  return target()->NewWritableFile(name, file);
}

leveldb::Status GuardedEnv::RenameFile(const std::string& from, const std::string& to) {
  Keep(to);
  return target()->RenameFile(from, to);
}

void GuardedEnv::ReleaseDeletes() {
  // Under the lock, so that no file comes back between the decision and its delete.
  std::lock_guard lock(mutex_);
  released_ = true;
  // The file is obsolete; failing to delete it does no harm.
  for (const std::string& name : held_) target()->RemoveFile(name);
  held_.clear();
}

SealFile::SealFile(leveldb::Env& env, std::string directory, SealIdentity identity,
                   bool sync_directory)
    : env_(env),
      directory_(std::move(directory)),
      path_(directory_ + "/SEAL"),
      identity_(std::move(identity)),
      sync_directory_(sync_directory) {}

bool SealFile::Exists() const { return env_.FileExists(path_); }

absl::StatusOr<SealLog> SealFile::Read() const {
  std::string bytes;
  const leveldb::Status status = leveldb::ReadFileToString(&env_, path_, &bytes);
  if (!status.ok()) return FromLevelDb(path_, status);
  absl::StatusOr<SealLog> log = DecodeSealLog(bytes);
  if (!log.ok()) {
    const std::string reason(log.status().message());
    return absl::Status(log.status().code(), fmt::format("{}: {}", path_, reason));
  }
  return log;
}

absl::Status SealFile::Rewrite(const Seal& seal) {
  file_.reset();
  const std::string temporary = path_ + ".new";
  leveldb::WritableFile* raw = nullptr;
  leveldb::Status status = env_.NewWritableFile(temporary, &raw);
  const std::unique_ptr<leveldb::WritableFile> file(raw);
  if (status.ok()) status = file->Append(EncodeSealHeader(identity_) + EncodeSealEntry(seal));
  if (status.ok()) status = file->Sync();
  if (status.ok()) status = file->Close();
  if (status.ok()) status = env_.RenameFile(temporary, path_);
  if (!status.ok()) return FromLevelDb(path_, status);
  if (sync_directory_) {
    const absl::Status synced = SyncDirectory(directory_);
    if (!synced.ok()) return synced;
  }
  entries_ = 1;
  return OpenForAppend();
}

absl::Status SealFile::OpenForAppend() {
  leveldb::WritableFile* raw = nullptr;
  const leveldb::Status status = env_.NewAppendableFile(path_, &raw);
  file_.reset(raw);
  return FromLevelDb(path_, status);
}

absl::Status SealFile::Append(const Seal& seal) {
  if (entries_ >= kMaxEntries) return Rewrite(seal);
  leveldb::Status status = file_->Append(EncodeSealEntry(seal));
  if (status.ok()) status = file_->Sync();
  ++entries_;
  return FromLevelDb(path_, status);
}

absl::Status SealFile::TryRoom(uint64_t bytes) const {
  const std::string path = directory_ + "/ROOM";
  const std::string block(64u << 10, '\0');
  leveldb::WritableFile* raw = nullptr;
  leveldb::Status status = env_.NewWritableFile(path, &raw);
  std::unique_ptr<leveldb::WritableFile> file(raw);
  for (uint64_t done = 0; status.ok() && done < bytes; done += block.size()) {
    status = file->Append(block);
  }
  if (status.ok()) status = file->Sync();
  if (status.ok()) status = file->Close();
  file.reset();
  env_.RemoveFile(path);
  return FromLevelDb(path, status);
}

}  // namespace emptor::catalog
