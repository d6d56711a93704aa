// Files are wrapped; the decision to fail is taken in one place.
#include "tests/catalog/storage/fault_env.h"

#include <memory>
#include <utility>

namespace emptor::testing {

class FaultEnv::File final : public leveldb::WritableFile {
 public:
  File(FaultEnv& env, std::string name, leveldb::WritableFile* file)
      : env_(env), name_(std::move(name)), file_(file) {}

  leveldb::Status Append(const leveldb::Slice& data) override {
    const leveldb::Status status = env_.Count(Operation::kAppend);
    return status.ok() ? file_->Append(data) : status;
  }
  leveldb::Status Close() override {
    const leveldb::Status status = env_.Count(Operation::kAppend);
    return status.ok() ? file_->Close() : status;
  }
  leveldb::Status Flush() override {
    const leveldb::Status status = env_.Count(Operation::kAppend);
    return status.ok() ? file_->Flush() : status;
  }
  leveldb::Status Sync() override {
    leveldb::Status status = env_.Count(Operation::kSync);
    if (status.ok()) status = file_->Sync();
    if (status.ok()) env_.MarkSynced(name_);
    return status;
  }

 private:
  FaultEnv& env_;
  std::string name_;
  std::unique_ptr<leveldb::WritableFile> file_;
};

class FaultEnv::SequentialReader final : public leveldb::SequentialFile {
 public:
  SequentialReader(FaultEnv& env, leveldb::SequentialFile* file) : env_(env), file_(file) {}

  leveldb::Status Read(size_t n, leveldb::Slice* result, char* scratch) override {
    const leveldb::Status status = env_.Count(Operation::kRead);
    return status.ok() ? file_->Read(n, result, scratch) : status;
  }
  leveldb::Status Skip(uint64_t n) override { return file_->Skip(n); }

 private:
  FaultEnv& env_;
  std::unique_ptr<leveldb::SequentialFile> file_;
};

class FaultEnv::RandomReader final : public leveldb::RandomAccessFile {
 public:
  RandomReader(FaultEnv& env, leveldb::RandomAccessFile* file) : env_(env), file_(file) {}

  leveldb::Status Read(uint64_t offset, size_t n, leveldb::Slice* result,
                       char* scratch) const override {
    const leveldb::Status status = env_.Count(Operation::kRead);
    return status.ok() ? file_->Read(offset, n, result, scratch) : status;
  }

 private:
  FaultEnv& env_;
  std::unique_ptr<leveldb::RandomAccessFile> file_;
};

void FaultEnv::FailFrom(uint64_t n, uint64_t count, unsigned mask, std::string message) {
  std::lock_guard lock(mutex_);
  fail_from_ = n;
  fail_count_ = count;
  fail_mask_ = mask;
  message_ = std::move(message);
  matching_ = 0;
  failures_ = 0;
}

uint64_t FaultEnv::operations() const {
  std::lock_guard lock(mutex_);
  return operations_;
}

uint64_t FaultEnv::failures() const {
  std::lock_guard lock(mutex_);
  return failures_;
}

leveldb::Status FaultEnv::Count(Operation operation) {
  std::lock_guard lock(mutex_);
  ++operations_;
  if ((fail_mask_ & static_cast<unsigned>(operation)) == 0) return leveldb::Status::OK();
  ++matching_;
  if (matching_ < fail_from_ || matching_ >= fail_from_ + fail_count_) {
    return leveldb::Status::OK();
  }
  ++failures_;
  return leveldb::Status::IOError("injected", message_);
}

void FaultEnv::MarkSynced(const std::string& name) {
  uint64_t size = 0;
  target()->GetFileSize(name, &size);
  std::lock_guard lock(mutex_);
  synced_bytes_[name] = size;
}

void FaultEnv::LoseUnsyncedData() {
  std::map<std::string, uint64_t> synced;
  {
    std::lock_guard lock(mutex_);
    synced = synced_bytes_;
  }
  for (const auto& [name, size] : synced) {
    std::string content;
    if (!leveldb::ReadFileToString(target(), name, &content).ok()) continue;
    if (content.size() <= size) continue;
    leveldb::WriteStringToFile(target(), leveldb::Slice(content.data(), size), name);
  }
}

leveldb::Status FaultEnv::Wrap(const std::string& name, leveldb::Status status,
                               leveldb::WritableFile** file) {
  if (status.ok()) *file = new File(*this, name, *file);
  return status;
}

leveldb::Status FaultEnv::NewSequentialFile(const std::string& name,
                                            leveldb::SequentialFile** file) {
  leveldb::Status status = Count(Operation::kRead);
  if (status.ok()) status = target()->NewSequentialFile(name, file);
  if (status.ok()) *file = new SequentialReader(*this, *file);
  return status;
}

leveldb::Status FaultEnv::NewRandomAccessFile(const std::string& name,
                                              leveldb::RandomAccessFile** file) {
  leveldb::Status status = Count(Operation::kRead);
  if (status.ok()) status = target()->NewRandomAccessFile(name, file);
  if (status.ok()) *file = new RandomReader(*this, *file);
  return status;
}

leveldb::Status FaultEnv::NewWritableFile(const std::string& name, leveldb::WritableFile** file) {
  const leveldb::Status status = Count(Operation::kCreate);
  if (!status.ok()) return status;
  {
    std::lock_guard lock(mutex_);
    synced_bytes_[name] = 0;
  }
  return Wrap(name, target()->NewWritableFile(name, file), file);
}

leveldb::Status FaultEnv::NewAppendableFile(const std::string& name, leveldb::WritableFile** file) {
  const leveldb::Status status = Count(Operation::kCreate);
  if (!status.ok()) return status;
  return Wrap(name, target()->NewAppendableFile(name, file), file);
}

leveldb::Status FaultEnv::RenameFile(const std::string& from, const std::string& to) {
  leveldb::Status status = Count(Operation::kRename);
  if (status.ok()) status = target()->RenameFile(from, to);
  if (!status.ok()) return status;
  std::lock_guard lock(mutex_);
  synced_bytes_[to] = synced_bytes_[from];
  synced_bytes_.erase(from);
  return status;
}

leveldb::Status FaultEnv::RemoveFile(const std::string& name) {
  const leveldb::Status status = Count(Operation::kRemove);
  if (!status.ok()) return status;
  {
    std::lock_guard lock(mutex_);
    synced_bytes_.erase(name);
  }
  return target()->RemoveFile(name);
}

}  // namespace emptor::testing
