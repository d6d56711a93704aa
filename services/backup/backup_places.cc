// Paths against roots, buckets against names.
#include "services/backup/backup_places.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "fmt/format.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

/// The absolute path with the links of what exists resolved; empty where that fails.
fs::path Resolved(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path resolved = error ? fs::path() : fs::weakly_canonical(absolute, error);
  return error ? fs::path() : resolved;
}

bool IsWithin(const fs::path& path, const fs::path& root) {
  if (path.empty() || root.empty()) return false;
  const fs::path rest = path.lexically_relative(root);
  return !rest.empty() && *rest.begin() != "..";
}

}  // namespace

absl::StatusOr<std::string> ConfineBackup(const BackupPlaces& places, const std::string& to) {
  constexpr std::string_view kScheme = "s3://";
  if (to.starts_with(kScheme)) {
    const std::string bucket =
        to.substr(kScheme.size(), to.find('/', kScheme.size()) - kScheme.size());
    const auto& known = places.buckets;
    if (std::find(known.begin(), known.end(), bucket) != known.end()) return to;
    return absl::InvalidArgumentError(
        fmt::format("to: the bucket {:?} is not one of the setting backup_buckets: add it there",
                    bucket.substr(0, 64)));
  }
  if (to.empty() || to.find("://") != std::string::npos) {
    return absl::InvalidArgumentError("to: expected a directory or s3://bucket/prefix");
  }
  const fs::path path = Resolved(to);
  for (const std::string& root : places.roots) {
    if (IsWithin(path, Resolved(root))) return path.string();
  }
  std::string roots;
  for (const std::string& root : places.roots) roots += (roots.empty() ? "" : ", ") + root;
  return absl::InvalidArgumentError(
      fmt::format("to: {} is in none of {}: choose a place there, or add one to the setting "
                  "backup_roots",
                  to.substr(0, 100), roots.substr(0, 120)));
}

}  // namespace emptor::services
