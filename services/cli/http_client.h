// A small HTTP client for the commands, on libcurl.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::services {

struct HttpReply {
  int status = 0;
  std::string body;  // empty where the pieces went to `on_piece`
};

/// Posts `body` and waits for the whole answer. With `on_piece`, a reply of 200 is handed over
/// piece by piece as it comes; false ends it. Errors: kUnavailable (no connection, connection
/// lost).
absl::StatusOr<HttpReply> HttpPost(
    const std::string& url, std::string_view content_type, std::string_view body,
    const std::function<bool(std::string_view piece)>& on_piece = nullptr);

/// Gets the whole answer. Errors: as HttpPost.
absl::StatusOr<HttpReply> HttpGet(const std::string& url);

}  // namespace emptor::services
