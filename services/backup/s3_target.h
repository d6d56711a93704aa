// Backups in a bucket of any S3-compatible store, over HTTP with signature version 4.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "catalog/backup/backup_target.h"

namespace emptor::services {

struct S3Options {
  std::string endpoint;  // "https://s3.eu-west-1.amazonaws.com"; the bucket is in the path
  std::string bucket;
  std::string prefix;  // prepended to every name; empty, or ends in '/'
  std::string region = "us-east-1";
  std::string access_key, secret_key;
  std::string session_token;  // of temporary credentials; empty: none
};

/// "s3://bucket/prefix" with these environment variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
/// AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL (http:// and https:// only).
/// Errors: kInvalidArgument (the URL), kFailedPrecondition (no credentials).
absl::StatusOr<S3Options> S3OptionsOf(const std::string& url);

/// Files of up to 5 GB, the limit of a single upload. A transfer that moves less than 1 kB/s for a
/// minute fails; each is tried three times. Thread-safety: one thread at a time.
class S3Target final : public catalog::BackupTarget {
 public:
  explicit S3Target(S3Options options) : options_(std::move(options)) {}

  absl::Status Put(const std::string& name, const std::string& path) override;
  absl::Status Get(const std::string& name, const std::string& path) override;
  absl::Status Remove(const std::string& name) override;
  std::string Describe() const override {
    return "s3://" + options_.bucket + "/" + options_.prefix;
  }

 private:
  const S3Options options_;
};

/// A directory, or "s3://bucket/prefix". Errors: of S3OptionsOf.
absl::StatusOr<std::unique_ptr<catalog::BackupTarget>> OpenBackupTarget(const std::string& place);

}  // namespace emptor::services
