// Files that are there whole or not at all.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace emptor::catalog {

/// Syncs `file`, which was written as `temporary`, gives it its name and syncs the directory.
/// Errors: kUnavailable, kResourceExhausted (disk full); then `path` is what it was.
absl::Status PublishFile(std::FILE* file, const std::string& temporary, const std::string& path);

/// Writes `bytes` so. A crash leaves the old file or the new one.
absl::Status WriteFileDurably(const std::string& path, std::string_view bytes);

/// Syncs a directory after a rename within it.
absl::Status SyncDirectory(const std::string& directory);

}  // namespace emptor::catalog
