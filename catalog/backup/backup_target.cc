// Backups in a directory.
#include "catalog/backup/backup_target.h"

#include <filesystem>

#include "catalog/storage/durable_file.h"
#include "fmt/format.h"

namespace emptor::catalog {

absl::Status DirectoryTarget::Put(const std::string& name, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) {
    return absl::UnavailableError(fmt::format("backup: {}: {}", directory_, error.message()));
  }
  return CopyFileDurably(path, directory_ + "/" + name);
}

absl::Status DirectoryTarget::Get(const std::string& name, const std::string& path) {
  return CopyFileDurably(directory_ + "/" + name, path);
}

absl::Status DirectoryTarget::Remove(const std::string& name) {
  std::error_code error;
  std::filesystem::remove(directory_ + "/" + name, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("backup: {}/{}: {}", directory_, name, error.message()));
}

}  // namespace emptor::catalog
