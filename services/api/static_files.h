// Static files: those of the chat page, and a directory of product images. The map is built at
// start; a request's path is only a key of it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "services/http/exchange.h"

namespace emptor::services {

struct StaticFile {
  std::string content_type;
  std::string etag;
  std::string body;
  std::string gzip_body;  // the body compressed, or empty: it is sent as it is
  bool is_page = false;   // made for one request: compressed only where that is sent
};

/// The validator of a body: differs between two versions of it.
std::string EtagOf(std::string_view body);

/// Immutable after loading. Thread-safety: const methods from any thread.
class StaticFiles {
 public:
  /// The embedded page files, under "/", "/admin", "/widget.js" and "/assets/<name>"; the templates
  /// of product and category pages, under "/p/" and "/c/".
  static StaticFiles Embedded();

  /// Every image of `directory` (no subfolders, names of [A-Za-z0-9._-], at most 2 MiB each, 512
  /// MiB in all) as "/images/<name>". Errors: kNotFound, kResourceExhausted.
  static absl::StatusOr<StaticFiles> LoadImages(const std::string& directory);

  /// Null when there is no such path.
  const StaticFile* Find(std::string_view path) const;
  size_t size() const { return files_.size(); }

 private:
  std::unordered_map<std::string, StaticFile> files_;
};

struct ContentPolicy {
  std::vector<std::string> image_hosts;  // "https://cdn.example": where pages may load images from
};

/// The reply for a file, with the policy headers of its type, compressed where the client takes
/// that; 304 when the client has it. With another `status` than 200 the file is sent in any case.
Response MakeFileResponse(const StaticFile& file, const Request& request,
                          const ContentPolicy& policy, int status = 200);

}  // namespace emptor::services
