// The audit log: who changed shops, models and keys. <data-dir>/keys/audit.log
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::services {

/// One action. Texts may hold anything.
struct AuditEntry {
  std::string_view actor;         // id of the key, or "command line"
  std::string_view action;        // "POST /admin/shops/tools/delete"
  std::string_view subject = {};  // id of the key that was made or ended
  int status = 0;                 // of the answer
  std::string_view remote = {}, request_id = {};
};

/// Appends lines of JSON, each with the SHA-256 of the line before: {"n":2,"time":"...","actor",
/// "action",
/// "subject","status","remote","request_id","before":"<64 digits>"}. A line that is changed,
/// removed or put in is found by VerifyAuditLog; lines cut off at the end only by whoever kept the
/// last hash. Thread-safety: any thread; processes take turns by a lock on the file.
class AuditLog {
 public:
  explicit AuditLog(std::string path, std::function<int64_t()> now_unix = nullptr)
      : path_(std::move(path)), now_unix_(std::move(now_unix)) {}

  /// Returns when the line is on the disk. Errors: kUnavailable.
  absl::Status Append(const AuditEntry& entry);

 private:
  const std::string path_;
  const std::function<int64_t()> now_unix_;
  std::mutex mutex_;  // one writer of this process
};

std::string AuditLogPath(const std::string& data_dir);

struct AuditSummary {
  uint64_t lines = 0;
  std::string last_hash;  // to be kept elsewhere
};
/// Checks the chain. Errors: kNotFound, kDataLoss with the number of the first line that does not
/// follow from the one before.
absl::StatusOr<AuditSummary> VerifyAuditLog(const std::string& path);

}  // namespace emptor::services
