// Where the admin port may write backups.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

struct BackupPlaces {
  std::vector<std::string> roots;    // directories
  std::vector<std::string> buckets;  // of S3
};

/// The place of a backup as it is to be opened: a directory in or below one of the roots, with
/// links and dots resolved, or "s3://bucket/prefix" of one of the buckets. Errors:
/// kInvalidArgument, "to: ...", saying which setting to change.
absl::StatusOr<std::string> ConfineBackup(const BackupPlaces& places, const std::string& to);

}  // namespace emptor::services
