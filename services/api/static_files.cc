// Static files and their headers.
#include "services/api/static_files.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "services/api/api_errors.h"
#include "services/api/gzip.h"
#include "services/api/web_assets.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxImageBytes = 2u << 20;
constexpr size_t kMaxAllImages = 512u << 20;

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kImageTypes = {{
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".jpeg", "image/jpeg"},
    {".webp", "image/webp"},
    {".gif", "image/gif"},
    {".avif", "image/avif"},
}};

std::string_view ImageType(const std::string& extension) {
  for (const auto& [name, type] : kImageTypes) {
    if (name == extension) return type;
  }
  return {};
}

bool IsPlainName(const std::string& name) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return name[0] != '.' && name.find_first_not_of(kAllowed) == std::string::npos;
}

bool IsPartOfWidget(std::string_view content_type) {
  return content_type.starts_with("text/javascript") || content_type.starts_with("text/css");
}

/// A page may run its own scripts only; an image may run none.
std::string PolicyFor(std::string_view content_type, const ContentPolicy& policy) {
  if (content_type.substr(0, 6) == "image/") {
    return "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  }
  std::string images = "img-src 'self'";
  for (const std::string& host : policy.image_hosts) images += " " + host;
  return "default-src 'none'; script-src 'self'; style-src 'self'; " + images +
         "; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
         "require-trusted-types-for 'script'";
}

}  // namespace

std::string EtagOf(std::string_view body) {
  return fmt::format("\"{:016x}\"", catalog::Fnv1a64(body));
}

StaticFiles StaticFiles::Embedded() {
  StaticFiles files;
  for (const WebAsset& asset : WebAssets()) {
    StaticFile file{std::string(asset.content_type), std::string(asset.etag),
                    std::string(asset.body), Gzip(asset.body), false};
    if (asset.name == "index.html") files.files_["/"] = file;
    if (asset.name == "admin/admin.html") files.files_["/admin"] = file;
    if (asset.name == "product.html") files.files_["/p/"] = file;
    if (asset.name == "category.html") files.files_["/c/"] = file;
    if (asset.name == "widget.js") files.files_["/widget.js"] = file;
    files.files_["/assets/" + std::string(asset.name)] = std::move(file);
  }
  return files;
}

absl::StatusOr<StaticFiles> StaticFiles::LoadImages(const std::string& directory) {
  StaticFiles files;
  std::error_code error;
  size_t total = 0;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::string_view type = ImageType(at->path().extension().string());
    std::error_code size_error;
    const bool is_file = at->is_regular_file(size_error);
    const auto size = is_file ? at->file_size(size_error) : 0;
    if (!is_file || type.empty() || !IsPlainName(name) || size_error || size > kMaxImageBytes) {
      continue;
    }
    std::ifstream stream(at->path(), std::ios::binary);
    std::string body{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    total += body.size();
    if (total > kMaxAllImages) {
      return absl::ResourceExhaustedError(directory + ": more than 512 MiB of images");
    }
    std::string etag = EtagOf(body);
    files.files_["/images/" + name] = {
        std::string(type), std::move(etag), std::move(body), {}, false};
  }
  if (error) return absl::NotFoundError(directory + ": cannot be read: " + error.message());
  return files;
}

const StaticFile* StaticFiles::Find(std::string_view path) const {
  const auto found = files_.find(std::string(path));
  return found == files_.end() ? nullptr : &found->second;
}

Response MakeFileResponse(const StaticFile& file, const Request& request,
                          const ContentPolicy& policy, int status) {
  Response response;
  response.status = status;
  response.content_type = file.content_type;
  const bool can_compress = file.is_page || !file.gzip_body.empty();
  const bool is_compressed = can_compress && AcceptsGzip(request.Header("accept-encoding"));
  // The compressed form is another representation, with a validator of its own.
  const std::string etag =
      is_compressed ? file.etag.substr(0, file.etag.size() - 1) + "-gzip\"" : file.etag;
  response.headers.emplace_back("ETag", etag);
  response.headers.emplace_back("Cache-Control", "no-cache");
  response.headers.emplace_back("Content-Security-Policy", PolicyFor(file.content_type, policy));
  if (can_compress) response.headers.emplace_back("Vary", "Accept-Encoding");
  // Pages of merchants load the widget's modules and styles: the same for everybody, without a key.
  if (IsPartOfWidget(file.content_type)) {
    response.headers.emplace_back("Access-Control-Allow-Origin", "*");
    response.headers.emplace_back("Cross-Origin-Resource-Policy", "cross-origin");
  }
  AddSecurityHeaders(response);
  if (status == 200 && request.Header("if-none-match") == etag) {
    response.status = 304;
    return response;
  }
  if (!is_compressed) {
    response.body = file.body;
    return response;
  }
  response.headers.emplace_back("Content-Encoding", "gzip");
  response.body = file.is_page ? Gzip(file.body) : file.gzip_body;
  return response;
}

}  // namespace emptor::services
