// HTTP requests whose answers are read as they come, all on one thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace emptor::services {

/// A POST of JSON, or a GET. Only http and https; certificates are verified; redirections are not
/// followed, so that the headers reach no other host than that of the URL.
struct HttpStreamCall {
  bool is_get = false;  // the body is not sent
  std::string url = {};
  std::vector<std::string> headers = {};  // "Name: value"
  std::string body = {};
  /// Where to connect to in place of the URL's host, "10.0.0.1" or "[fd00::1]"; its port, its name
  /// in the request and in the certificate stay. Empty: the host's own address.
  std::string connect_to = {};
  std::string ca_file = {};  // certificates in PEM in place of the system's; empty: the system's
  std::chrono::milliseconds connect_timeout{5000};
  std::chrono::steady_clock::time_point start = {};  // not sent before
};

/// How a stream ended. Errors: kUnavailable (no connection, connection lost), kFailedPrecondition
/// (a certificate that is not trusted), kDeadlineExceeded, kCancelled.
struct HttpStreamEnd {
  absl::Status status;                  // of the transfer, whatever the HTTP status
  int http_status = 0;                  // 0: there was no answer
  std::chrono::seconds retry_after{0};  // 0: the server asks for nothing
  bool was_sent = false;                // the server may have seen the request
};

/// Takes one stream. All methods but cancelled are called on the thread of the streams, and must
/// not block.
class HttpStreamHandler {
 public:
  virtual ~HttpStreamHandler() = default;
  /// A piece of the body. False: enough, the connection is closed and the end is OK.
  virtual bool OnPiece(int http_status, std::string_view piece) = 0;
  /// False: what the server sends is left unread. Asked before each piece, and then every few
  /// milliseconds until it is true.
  virtual bool ready() { return true; }
  /// When it ends with kDeadlineExceeded; asked again after each piece.
  virtual std::chrono::steady_clock::time_point deadline() const = 0;
  /// True: it ends with kCancelled, and the connection is closed. Any thread.
  virtual bool cancelled() const = 0;
  /// The end, once. May start the next call.
  virtual void OnEnd(const HttpStreamEnd& end) = 0;
};

/// Keeps connections open between calls. Thread-safety: any thread.
class HttpStreams {
 public:
  HttpStreams();
  ~HttpStreams();  // as Stop
  HttpStreams(const HttpStreams&) = delete;
  HttpStreams& operator=(const HttpStreams&) = delete;

  /// Never waits. After Stop the handler's end is kCancelled, on the caller's thread.
  void Start(HttpStreamCall call, std::shared_ptr<HttpStreamHandler> handler);
  /// Runs it on the thread of the streams, in order with what Start was given.
  void Run(std::function<void()> task);
  /// A handler has been cancelled.
  void Wake();
  /// Cancels all streams and waits for their ends. Idempotent.
  void Stop();

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
