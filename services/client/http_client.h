// The HTTP client of commands, backups and models elsewhere, on libcurl.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::services {

/// One request. Only http and https; redirections are not followed, so that
/// the headers reach no other host than that of the URL.
struct HttpCall {
  std::string method = "GET";
  std::string url = {};
  std::vector<std::string> headers = {};          // "Name: value"
  std::string content_type = "application/json";  // of a POST
  std::string_view body = {};                     // of a POST
  std::FILE* upload = nullptr;                    // of a PUT: read from where it stands
  int64_t upload_bytes = 0;
  /// Signature version 4 of requests to Amazon's interfaces: "aws:amz:region:service" and
  /// "key:secret". Empty: none.
  std::string signature = {}, signing_keys = {};
  std::chrono::milliseconds connect_timeout{5000};
  std::chrono::milliseconds timeout{0};   // of everything; 0: none
  std::chrono::seconds stall_timeout{0};  // fewer than 1000 bytes a second for so long; 0: any
  size_t max_reply_bytes = SIZE_MAX;
  /// Gets the body of a 200 piece by piece as it comes; false ends it. May be empty.
  std::function<bool(std::string_view piece)> on_piece = {};
};

struct HttpReply {
  int status = 0;
  std::string body;                     // empty where the pieces went to `on_piece`
  std::chrono::seconds retry_after{0};  // what the header says, as seconds or as a date; 0: nothing
};

/// Keeps connections open between calls. Thread-safety: any thread; calls do not wait for each
/// other.
class HttpClient {
 public:
  HttpClient();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// Sends, and waits for the whole answer. Errors: kUnavailable (no connection, connection lost,
  /// too late, ended by on_piece), kOutOfRange (a reply of more than max_reply_bytes).
  absl::StatusOr<HttpReply> Send(const HttpCall& call);

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

/// Sends the call as a POST over a new connection. Errors: as HttpClient::Send.
absl::StatusOr<HttpReply> HttpPost(HttpCall call);
/// As a GET, alike.
absl::StatusOr<HttpReply> HttpGet(HttpCall call);

/// OK for 200; else what a service of ours said of the mistake: kNotFound for 404, kUnavailable for
/// others.
absl::Status CheckReply(const std::string& url, const HttpReply& reply);

/// Percent-encoded, for a path segment or a query string.
std::string UrlEncoded(std::string_view text);

}  // namespace emptor::services
