// Temporary file, sync, rename, sync of the directory.
#include "catalog/storage/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kMaxAtOnce = size_t{1} << 26;  // bytes of one call
constexpr size_t kCopied = size_t{1} << 20;     // bytes between reading and writing

absl::Status FileError(const std::string& path, std::string_view what) {
  const std::string message = fmt::format("{}: {}: {}", path, what, strerror(errno));
  switch (errno) {
    case ENOENT:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
      return absl::PermissionDeniedError(message);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(message);
    default:
      return absl::UnavailableError(message);
  }
}

std::string DirectoryOf(const std::string& path) {
  std::string directory = std::filesystem::path(path).parent_path().string();
  return directory.empty() ? "." : directory;
}

absl::Status SyncAndName(int descriptor, const std::string& temporary, const std::string& path) {
  if (::fsync(descriptor) != 0) return FileError(temporary, "sync");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return FileError(path, "rename");
  return SyncDirectory(DirectoryOf(path));
}

}  // namespace

absl::Status SyncDirectory(const std::string& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return FileError(directory, "open");
  absl::Status status;
  if (::fsync(descriptor) != 0) status = FileError(directory, "sync");
  ::close(descriptor);
  return status;
}

absl::Status PublishFile(std::FILE* file, const std::string& temporary, const std::string& path) {
  if (std::fflush(file) != 0) return FileError(temporary, "write");
  return SyncAndName(::fileno(file), temporary, path);
}

DurableFile::DurableFile(std::string path, int descriptor)
    : path_(std::move(path)), temporary_(path_ + ".new"), descriptor_(descriptor) {}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

DurableFile::~DurableFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

absl::StatusOr<DurableFile> DurableFile::Create(const std::string& path, mode_t mode) {
  const std::string temporary = path + ".new";
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (descriptor < 0) return FileError(temporary, "create");
  DurableFile file(path, descriptor);
  // A temporary file of a crash may have been made with another mode.
  if (mode != kSharedFile && ::fchmod(descriptor, mode) != 0) return FileError(temporary, "create");
  return file;
}

absl::Status DurableFile::Write(const void* data, size_t size) {
  absl::Status status = Rewrite(size_, data, size);
  if (status.ok()) size_ += size;
  return status;
}

absl::Status DurableFile::Rewrite(uint64_t offset, const void* data, size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n =
        ::pwrite(descriptor_, at, std::min(size, kMaxAtOnce), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(temporary_, "write");
    at += n;
    offset += static_cast<uint64_t>(n);
    size -= static_cast<size_t>(n);
  }
  return absl::OkStatus();
}

absl::Status DurableFile::Publish() {
  absl::Status status = SyncAndName(descriptor_, temporary_, path_);
  if (status.ok()) ::close(std::exchange(descriptor_, -1));  // there is no temporary file any more
  return status;
}

absl::Status WriteFileDurably(const std::string& path, std::string_view bytes, mode_t mode) {
  auto file = DurableFile::Create(path, mode);
  if (!file.ok()) return file.status();
  absl::Status status = file->Write(bytes.data(), bytes.size());
  return status.ok() ? file->Publish() : status;
}

absl::Status CopyFileDurably(const std::string& from, const std::string& to) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> source(std::fopen(from.c_str(), "rbe"),
                                                               std::fclose);
  if (source == nullptr) return FileError(from, "open");
  auto file = DurableFile::Create(to);
  if (!file.ok()) return file.status();
  std::vector<char> piece(kCopied);
  while (const size_t n = std::fread(piece.data(), 1, piece.size(), source.get())) {
    if (absl::Status status = file->Write(piece.data(), n); !status.ok()) return status;
  }
  if (std::ferror(source.get()) != 0) return FileError(from, "read");
  return file->Publish();
}

}  // namespace emptor::catalog
