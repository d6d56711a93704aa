// Lines of JSON and their chain of hashes.
#include "services/auth/audit_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/sha256.h"
#include "catalog/encoding/timestamp.h"
#include "catalog/storage/file_descriptor.h"
#include "services/auth/key_file.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxText = 512;
// Longer than any line: each text is cut, and a byte takes up to 6 characters of JSON.
constexpr off_t kTailBytes = 32 * 1024;

std::string HashOf(std::string_view line) {
  const catalog::Digest digest = catalog::ComputeSha256(line.data(), line.size());
  return ToHex(digest.data(), digest.size());
}

/// "before" of the first line.
std::string FirstHash() { return std::string(2 * sizeof(catalog::Digest), '0'); }

/// The number of a line; 0 for what is none.
uint64_t NumberOf(const catalog::JsonValue& line) {
  const catalog::JsonValue* number = line.Find("n");
  return number != nullptr && number->is_int() && number->as_int() > 0
             ? static_cast<uint64_t>(number->as_int())
             : 0;
}

/// The last line of the file, without its end; empty for an empty file.
absl::StatusOr<std::string> LastLine(int file, const std::string& path) {
  struct stat info {};
  if (::fstat(file, &info) != 0) return absl::UnavailableError(path + ": cannot be read");
  const off_t begin = std::max<off_t>(0, info.st_size - kTailBytes);
  std::string tail(static_cast<size_t>(info.st_size - begin), '\0');
  if (::pread(file, tail.data(), tail.size(), begin) != static_cast<ssize_t>(tail.size())) {
    return absl::UnavailableError(path + ": cannot be read");
  }
  while (tail.ends_with('\n')) tail.pop_back();
  return tail.substr(tail.rfind('\n') + 1);
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return ::fdatasync(file) == 0;
}

}  // namespace

std::string AuditLogPath(const std::string& data_dir) { return data_dir + "/keys/audit.log"; }

absl::Status AuditLog::Append(const AuditEntry& entry) {
  const std::lock_guard lock(mutex_);
  const catalog::FileDescriptor file(
      ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (file.get() < 0 || ::flock(file.get(), LOCK_EX) != 0) {
    return absl::UnavailableError(path_ + ": cannot be opened");
  }
  const auto last = LastLine(file.get(), path_);
  if (!last.ok()) return last.status();
  uint64_t number = 1;
  if (!last->empty()) {
    const auto json = catalog::ParseJson(*last);
    number = json.ok() ? NumberOf(*json) + 1 : 1;  // VerifyAuditLog finds a broken line
  }
  const int64_t now = now_unix_ ? now_unix_() : static_cast<int64_t>(std::time(nullptr));
  catalog::JsonWriter writer;
  writer.BeginObject().Member("n", number).Member("time", catalog::FormatRfc3339(now));
  writer.Member("actor", entry.actor.substr(0, kMaxText));
  writer.Member("action", entry.action.substr(0, kMaxText));
  writer.Member("subject", entry.subject.substr(0, kMaxText)).Member("status", entry.status);
  writer.Member("remote", entry.remote.substr(0, kMaxText));
  writer.Member("request_id", entry.request_id.substr(0, kMaxText));
  writer.Member("before", last->empty() ? FirstHash() : HashOf(*last)).EndObject();
  if (!WriteAll(file.get(), writer.Take() + "\n")) {
    return absl::UnavailableError(path_ + ": cannot be written");
  }
  return absl::OkStatus();
}

absl::StatusOr<AuditSummary> VerifyAuditLog(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + ": cannot be read");
  AuditSummary summary{0, FirstHash()};
  for (std::string line; std::getline(file, line);) {
    ++summary.lines;
    const auto json = catalog::ParseJson(line);
    const catalog::JsonValue* before = json.ok() ? json->Find("before") : nullptr;
    const bool follows = before != nullptr && before->is_string() &&
                         before->as_string() == summary.last_hash &&
                         NumberOf(*json) == summary.lines;
    if (!follows) {
      return absl::DataLossError(fmt::format(
          "{}:{}: does not follow from the line before: one of them was changed, or lines between "
          "them were removed",
          path, summary.lines));
    }
    summary.last_hash = HashOf(line);
  }
  return summary;
}

}  // namespace emptor::services
