// A small HTTP client for the commands, on libcurl.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::services {

struct HttpReply {
  int status = 0;
  std::string body;  // empty where the pieces went to `on_piece`
};

struct HttpCall {
  std::string url;
  std::vector<std::string> headers = {};  // "Name: value"
  std::string content_type = "application/json";
  std::string_view body = {};  // of a POST
  /// A reply of 200 is handed over piece by piece as it comes; false ends it. May be empty.
  std::function<bool(std::string_view piece)> on_piece = {};
};

/// Posts the body and waits for the whole answer. Errors: kUnavailable (no connection, connection
/// lost).
absl::StatusOr<HttpReply> HttpPost(const HttpCall& call);
/// Gets the whole answer. Errors: as HttpPost.
absl::StatusOr<HttpReply> HttpGet(const HttpCall& call);

/// OK for 200; else what the service said of the mistake: kNotFound for 404, kUnavailable for
/// others.
absl::Status CheckReply(const std::string& url, const HttpReply& reply);

/// Percent-encoded, for a path segment or a query string.
std::string UrlEncoded(std::string_view text);

}  // namespace emptor::services
