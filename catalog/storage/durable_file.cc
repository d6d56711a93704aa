// Temporary file, sync, rename, sync of the directory.
#include "catalog/storage/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "fmt/format.h"

namespace emptor::catalog {
namespace {

absl::Status FileError(const std::string& path, std::string_view what) {
  const std::string message = fmt::format("{}: {}: {}", path, what, strerror(errno));
  return errno == ENOSPC ? absl::ResourceExhaustedError(message) : absl::UnavailableError(message);
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
  if (::fsync(::fileno(file)) != 0) return FileError(temporary, "sync");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return FileError(path, "rename");
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return SyncDirectory(directory.empty() ? "." : directory);
}

absl::Status WriteFileDurably(const std::string& path, std::string_view bytes) {
  const std::string temporary = path + ".new";
  absl::Status status;
  {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(temporary.c_str(), "wbe"),
                                                               std::fclose);
    if (file == nullptr) return FileError(temporary, "create");
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
      status = FileError(temporary, "write");
    } else {
      status = PublishFile(file.get(), temporary, path);
    }
  }
  std::error_code ignored;
  if (!status.ok()) std::filesystem::remove(temporary, ignored);
  return status;
}

}  // namespace emptor::catalog
