// Path-style requests: PUT, GET, DELETE of one object each.
#include "services/backup/s3_target.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "catalog/sha256.h"
#include "catalog/storage/durable_file.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

constexpr int kTries = 3;
constexpr curl_off_t kMaxUploadBytes = curl_off_t{5} << 30;
constexpr size_t kMaxErrorBytes = 4096;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;
using CurlPtr = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using HeadersPtr = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

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

/// What S3 keeps as it is in a path.
bool IsPlainPath(std::string_view path) {
  return path.size() < 512 && std::all_of(path.begin(), path.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '/';
         });
}

/// What one request sends and takes.
struct Transfer {
  CURL* curl = nullptr;
  std::FILE* to = nullptr;  // takes the body of a good answer; null: nothing does
  std::string error_body;
};

size_t TakeBody(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const size_t bytes = size * count;
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status == 200 && transfer.to != nullptr) return std::fwrite(data, 1, bytes, transfer.to);
  const size_t room = kMaxErrorBytes - std::min(kMaxErrorBytes, transfer.error_body.size());
  transfer.error_body.append(data, std::min(bytes, room));
  return bytes;
}

/// "<Code>NoSuchKey</Code>" of an error's XML, for messages alone.
std::string ErrorCode(const std::string& body) {
  const size_t begin = body.find("<Code>"), end = body.find("</Code>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return ": " + body.substr(begin + 6, std::min<size_t>(end - begin - 6, 100));
}

absl::Status StatusOf(const std::string& what, long status, const std::string& body) {
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

HeadersPtr MakeHeaders(const S3Options& options, const std::string& body_digest) {
  curl_slist* list = curl_slist_append(nullptr, ("x-amz-content-sha256: " + body_digest).c_str());
  list = curl_slist_append(list, "Expect:");
  if (!options.session_token.empty()) {
    list = curl_slist_append(list, ("x-amz-security-token: " + options.session_token).c_str());
  }
  return HeadersPtr(list, &curl_slist_free_all);
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

/// One signed request; `prepare` adds what its method needs.
absl::Status Perform(const S3Options& options, const std::string& name,
                     const std::string& body_digest, std::FILE* to,
                     const std::function<void(CURL*)>& prepare) {
  static const bool initialised = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  const CurlPtr curl(initialised ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!curl) return absl::InternalError("libcurl: cannot be initialised");
  const std::string url =
      fmt::format("{}/{}/{}{}", options.endpoint, options.bucket, options.prefix, name);
  Transfer transfer{curl.get(), to, {}};
  const HeadersPtr headers = MakeHeaders(options, body_digest);
  CURL* const handle = curl.get();
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1000L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, 60L);
  curl_easy_setopt(handle, CURLOPT_AWS_SIGV4, ("aws:amz:" + options.region + ":s3").c_str());
  curl_easy_setopt(handle, CURLOPT_USERPWD,
                   (options.access_key + ":" + options.secret_key).c_str());
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &TakeBody);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
  prepare(handle);
  const CURLcode code = curl_easy_perform(handle);
  if (code != CURLE_OK) {
    return absl::UnavailableError(fmt::format("backup: {}: {}", url, curl_easy_strerror(code)));
  }
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return StatusOf("backup: " + url, status, transfer.error_body);
}

/// Repeats what may pass by waiting; the store's own errors are not among that.
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
  const auto size = static_cast<curl_off_t>(std::filesystem::file_size(path, error));
  if (error || size > kMaxUploadBytes) {
    return absl::ResourceExhaustedError(
        fmt::format("backup: {}: {} bytes, more than one upload takes", path, size));
  }
  return Retried([&]() -> absl::Status {
    const File file(std::fopen(path.c_str(), "rbe"));
    if (file == nullptr) return absl::NotFoundError(fmt::format("backup: {}: is gone", path));
    return Perform(options_, name, *digest, nullptr, [&](CURL* curl) {
      curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt(curl, CURLOPT_READDATA, file.get());
      curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, size);
    });
  });
}

absl::Status S3Target::Get(const std::string& name, const std::string& path) {
  const std::string temporary = path + ".new";
  const absl::Status status = Retried([&]() -> absl::Status {
    const File file(std::fopen(temporary.c_str(), "wbe"));
    if (file == nullptr) {
      return absl::FailedPreconditionError(fmt::format("backup: {}: cannot be written", temporary));
    }
    absl::Status got = Perform(options_, name, kDigestOfNothing, file.get(), [](CURL*) {});
    return got.ok() ? catalog::PublishFile(file.get(), temporary, path) : got;
  });
  std::error_code ignored;
  if (!status.ok()) std::filesystem::remove(temporary, ignored);
  return status;
}

absl::Status S3Target::Remove(const std::string& name) {
  const absl::Status status = Retried([&] {
    return Perform(options_, name, kDigestOfNothing, nullptr,
                   [](CURL* curl) { curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "DELETE"); });
  });
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
