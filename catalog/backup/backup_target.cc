// Backups in a directory.
#include "catalog/backup/backup_target.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "catalog/storage/durable_file.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kPiece = 1u << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

absl::Status FileError(const std::string& path, std::string_view what) {
  const std::string message = fmt::format("backup: {}: {}: {}", path, what, strerror(errno));
  switch (errno) {
    case ENOENT:
      return absl::NotFoundError(message);
    case ENOSPC:
      return absl::ResourceExhaustedError(message);
    case EACCES:
    case EPERM:
      return absl::PermissionDeniedError(message);
    default:
      return absl::UnavailableError(message);
  }
}

absl::Status CopyBytes(std::FILE* from, const std::string& from_path, std::FILE* to,
                       const std::string& to_path) {
  std::vector<char> piece(kPiece);
  while (const size_t n = std::fread(piece.data(), 1, piece.size(), from)) {
    if (std::fwrite(piece.data(), 1, n, to) != n) return FileError(to_path, "write");
  }
  if (std::ferror(from) != 0) return FileError(from_path, "read");
  return absl::OkStatus();
}

absl::Status CopyDurably(const std::string& from_path, const std::string& to_path) {
  const std::string temporary = to_path + ".new";
  absl::Status status;
  {
    const File from(std::fopen(from_path.c_str(), "rbe"));
    if (from == nullptr) return FileError(from_path, "open");
    const File to(std::fopen(temporary.c_str(), "wbe"));
    if (to == nullptr) return FileError(temporary, "create");
    status = CopyBytes(from.get(), from_path, to.get(), temporary);
    if (status.ok()) status = PublishFile(to.get(), temporary, to_path);
  }
  std::error_code ignored;
  if (!status.ok()) std::filesystem::remove(temporary, ignored);
  return status;
}

}  // namespace

absl::Status DirectoryTarget::Put(const std::string& name, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) {
    return absl::UnavailableError(fmt::format("backup: {}: {}", directory_, error.message()));
  }
  return CopyDurably(path, directory_ + "/" + name);
}

absl::Status DirectoryTarget::Get(const std::string& name, const std::string& path) {
  return CopyDurably(directory_ + "/" + name, path);
}

absl::Status DirectoryTarget::Remove(const std::string& name) {
  std::error_code error;
  std::filesystem::remove(directory_ + "/" + name, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("backup: {}/{}: {}", directory_, name, error.message()));
}

}  // namespace emptor::catalog
