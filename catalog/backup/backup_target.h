// Storage for backups: named files.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"

namespace emptor::catalog {

/// Names hold letters, digits, '-' and '.'. Thread-safety: one thread at a time.
class BackupTarget {
 public:
  virtual ~BackupTarget() = default;

  /// Stores the file at `path` under `name`, replacing any other, completely or not at all.
  /// Errors: kUnavailable, kResourceExhausted, kPermissionDenied.
  virtual absl::Status Put(const std::string& name, const std::string& path) = 0;
  /// Copies to `path`. Errors: kNotFound (no such name), as Put.
  virtual absl::Status Get(const std::string& name, const std::string& path) = 0;
  /// OK also when there is no such name.
  virtual absl::Status Remove(const std::string& name) = 0;
  /// For messages.
  virtual std::string Describe() const = 0;
};

/// A directory, created if missing.
class DirectoryTarget final : public BackupTarget {
 public:
  explicit DirectoryTarget(std::string directory) : directory_(std::move(directory)) {}

  absl::Status Put(const std::string& name, const std::string& path) override;
  absl::Status Get(const std::string& name, const std::string& path) override;
  absl::Status Remove(const std::string& name) override;
  std::string Describe() const override { return directory_; }

 private:
  const std::string directory_;
};

}  // namespace emptor::catalog
