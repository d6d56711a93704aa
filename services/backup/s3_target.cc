// Path-style requests: PUT, GET, DELETE of one object.
#include "services/backup/s3_target.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "catalog/encoding/sha256.h"
#include "catalog/storage/durable_file.h"
#include "fmt/format.h"
#include "services/client/http_client.h"

namespace emptor::services {
namespace {

constexpr int kTries = 3;
constexpr int64_t kMaxUploadBytes = int64_t{5} << 30;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsBucketName(std::string_view name) {
  return name.size() >= 3 && name.size() <= 63 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '.';
         });
}

/// True for characters that S3 does not escape in a path.
bool IsPlainPath(std::string_view path) {
  return path.size() < 512 && std::all_of(path.begin(), path.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '/';
         });
}

/// "NoSuchKey" of "<Code>NoSuchKey</Code>" in an error's XML, for messages only.
std::string ErrorCode(const std::string& body) {
  const size_t begin = body.find("<Code>"), end = body.find("</Code>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return ": " + body.substr(begin + 6, std::min<size_t>(end - begin - 6, 100));
}

absl::Status StatusOf(const std::string& what, int status, const std::string& body) {
  const std::string message = fmt::format("{}: HTTP {}{}", what, status, ErrorCode(body));
  if (status / 100 == 2) return absl::OkStatus();
  if (status == 404) return absl::NotFoundError(message);
  if (status == 401 || status == 403) return absl::PermissionDeniedError(message);
  if (status == 507) return absl::ResourceExhaustedError(message);
  if (status / 100 == 4 && status != 408 && status != 429) {
    return absl::InvalidArgumentError(message);
  }
  return absl::UnavailableError(message);
}

std::string Hexadecimal(const catalog::Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

absl::StatusOr<std::string> DigestOfFile(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr)
    return absl::UnavailableError(fmt::format("backup: {}: cannot be read", path));
  catalog::Sha256 hash;
  std::vector<char> piece(1u << 20);
  while (const size_t n = std::fread(piece.data(), 1, piece.size(), file.get())) {
    hash.Update(piece.data(), n);
  }
  return Hexadecimal(hash.Finish());
}

/// One signed request.
absl::Status Perform(const S3Options& options, const std::string& name,
                     const std::string& body_digest, HttpCall call) {
  call.url = fmt::format("{}/{}/{}{}", options.endpoint, options.bucket, options.prefix, name);
  call.headers.push_back("x-amz-content-sha256: " + body_digest);
  if (!options.session_token.empty()) {
    call.headers.push_back("x-amz-security-token: " + options.session_token);
  }
  call.signature = "aws:amz:" + options.region + ":s3";
  call.signing_keys = options.access_key + ":" + options.secret_key;
  call.connect_timeout = std::chrono::milliseconds(10000);
  call.stall_timeout = std::chrono::seconds(60);
  const auto reply = HttpClient().Send(call);
  if (!reply.ok()) {
    return absl::Status(reply.status().code(), "backup: " + std::string(reply.status().message()));
  }
  return StatusOf("backup: " + call.url, reply->status, reply->body);
}

/// Retries errors that may be transient; errors that the store reports are not.
absl::Status Retried(const std::function<absl::Status()>& once) {
  absl::Status status;
  for (int i = 0; i < kTries; ++i) {
    status = once();
    if (!absl::IsUnavailable(status)) return status;
  }
  return status;
}

constexpr const char* kDigestOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

}  // namespace

absl::StatusOr<S3Options> S3OptionsOf(const std::string& url) {
  constexpr std::string_view kScheme = "s3://";
  S3Options options;
  const std::string rest = url.substr(std::min(url.size(), kScheme.size()));
  const size_t slash = rest.find('/');
  options.bucket = rest.substr(0, slash);
  if (slash != std::string::npos) options.prefix = rest.substr(slash + 1);
  if (!options.prefix.empty() && options.prefix.back() != '/') options.prefix += '/';
  if (!url.starts_with(kScheme) || !IsBucketName(options.bucket) || !IsPlainPath(options.prefix)) {
    return absl::InvalidArgumentError(
        fmt::format("backup: {:?}: expected s3://bucket/prefix of letters, digits, - . _ /", url));
  }
  options.access_key = Environment("AWS_ACCESS_KEY_ID");
  options.secret_key = Environment("AWS_SECRET_ACCESS_KEY");
  options.session_token = Environment("AWS_SESSION_TOKEN");
  if (options.access_key.empty() || options.secret_key.empty()) {
    return absl::FailedPreconditionError(
        "backup: no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  if (const std::string region = Environment("AWS_REGION"); !region.empty()) {
    options.region = region;
  }
  options.endpoint = Environment("AWS_ENDPOINT_URL");
  if (options.endpoint.empty()) {
    options.endpoint = fmt::format("https://s3.{}.amazonaws.com", options.region);
  }
  while (options.endpoint.ends_with('/')) options.endpoint.pop_back();
  if (!options.endpoint.starts_with("https://") && !options.endpoint.starts_with("http://")) {
    return absl::InvalidArgumentError(fmt::format(
        "backup: AWS_ENDPOINT_URL: expected http:// or https://, found {:?}", options.endpoint));
  }
  return options;
}

absl::Status S3Target::Put(const std::string& name, const std::string& path) {
  const auto digest = DigestOfFile(path);
  if (!digest.ok()) return digest.status();
  std::error_code error;
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path, error));
  if (error || size > kMaxUploadBytes) {
    return absl::ResourceExhaustedError(
        fmt::format("backup: {}: {} bytes, more than one upload takes", path, size));
  }
  return Retried([&]() -> absl::Status {
    const File file(std::fopen(path.c_str(), "rbe"));
    if (file == nullptr)
      return absl::NotFoundError(fmt::format("backup: {}: no longer exists", path));
    return Perform(options_, name, *digest,
                   {.method = "PUT", .upload = file.get(), .upload_bytes = size});
  });
}

absl::Status S3Target::Get(const std::string& name, const std::string& path) {
  const std::string temporary = path + ".new";
  const absl::Status status = Retried([&]() -> absl::Status {
    const File file(std::fopen(temporary.c_str(), "wbe"));
    if (file == nullptr) {
      return absl::FailedPreconditionError(fmt::format("backup: {}: cannot be written", temporary));
    }
    absl::Status got =
        Perform(options_, name, kDigestOfNothing, {.on_piece = [&](std::string_view piece) {
                  return std::fwrite(piece.data(), 1, piece.size(), file.get()) == piece.size();
                }});
    return got.ok() ? catalog::PublishFile(file.get(), temporary, path) : got;
  });
  std::error_code ignored;
  if (!status.ok()) std::filesystem::remove(temporary, ignored);
  return status;
}

absl::Status S3Target::Remove(const std::string& name) {
  const absl::Status status =
      Retried([&] { return Perform(options_, name, kDigestOfNothing, {.method = "DELETE"}); });
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

absl::StatusOr<std::unique_ptr<catalog::BackupTarget>> OpenBackupTarget(const std::string& place) {
  if (place.find("://") == std::string::npos) {
    return std::make_unique<catalog::DirectoryTarget>(place);
  }
  auto options = S3OptionsOf(place);
  if (!options.ok()) return options.status();
  return std::make_unique<S3Target>(*std::move(options));
}

}  // namespace emptor::services
