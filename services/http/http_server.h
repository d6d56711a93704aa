// The HTTP server: Pistache's reactor and transport carry the connections, our guard reads them,
// our hub and writer answer. Why so: docs/adr/0001-http-on-pistache.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// One request and how it was answered: no query, no body, none of its words.
struct AccessRecord {
  std::string method, path;  // as far as they were read; the path is percent-decoded and cut
  std::string request_id, peer, shop, user_agent;  // shop: X-Emptor-Shop; user_agent: cut
  std::string trace_id;                            // of the header traceparent; empty: none
  int status = 0;      // 499: the client left before there was an answer
  uint64_t bytes = 0;  // written to the socket, head and framing included
  double seconds = 0;  // from the complete request to the last byte
  bool is_stream = false;
  StreamEnd end = StreamEnd::kFinished;  // of a plain answer, too
};

/// Called once per request, when its answer is over, on an HTTP thread. Must not block.
using AccessObserver = std::function<void(const AccessRecord&)>;

/// The largest body that a request may have, by its method and path. Thread-safety: any thread.
using BodyLimit = std::function<size_t(std::string_view method, std::string_view path)>;

/// Writes the body of an error that the server answers itself (JSON). Thread-safety: any thread.
using ErrorBody = std::function<std::string(int status, std::string_view code,
                                            std::string_view message, std::string_view request_id)>;

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;  // 0: a free one
  int threads = 2;
  size_t max_header_bytes = 16 * 1024;
  int max_headers = 64;
  size_t max_body_bytes = 1 << 20;
  BodyLimit body_limit = {};  // may lower max_body_bytes before a body is read; may be empty
  /// Memory for incomplete requests, heads and bodies, over all connections; beyond it they get
  /// 503.
  size_t max_unfinished_bytes = 128u << 20;
  std::chrono::milliseconds header_timeout{10000};  // whole head, and whole body, each
  /// A body that comes at least this fast is not late, however large.
  size_t slowest_body_bytes_per_second = 64u << 10;
  std::chrono::milliseconds idle_timeout{30000};  // keep-alive connection without a request
  AccessObserver on_answered = {};                // may be empty
  ErrorBody error_body = {};                      // empty: FormatErrorBody (response_head.h)
  size_t max_connections = 10000;                 // more are answered 503 and closed
  size_t max_streams = 2000;
  size_t max_stream_queue_bytes = 256 * 1024;
  std::chrono::milliseconds ping_interval{10000};
  std::chrono::milliseconds stall_timeout{10000};  // a reader that takes nothing this long is cut
};

struct HttpServerStats {
  size_t connections = 0, active_streams = 0;
  size_t unfinished_bytes = 0;  // held for incomplete requests
  uint64_t requests = 0, refused = 0;
  uint64_t streams_finished = 0, streams_peer_gone = 0, streams_overflow = 0, streams_stalled = 0;
  uint64_t events_sent = 0;
};

/// What became of the requests that were in flight when a drain began.
struct DrainReport {
  size_t finished = 0;  // ended without interference
  size_t cut = 0;       // ended by the drain: last words of a stream, or 503
};

/// Serves one handler on one address. The handler gets every well-formed request and routes it.
/// Start ignores SIGPIPE in the whole process and raises the soft limit of descriptors to the hard
/// one; the server's threads take no signals. TLS ends in a proxy in front.
/// Thread-safety: Start, Stop and the destructor on one thread, which may not be that of a handler
/// or of on_end; the rest on any thread. Exchanges and sinks may outlive the server.
class HttpServer {
 public:
  explicit HttpServer(HttpServerOptions options = {});
  /// Stops.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Binds and starts. Errors: kUnavailable (address in use), kInvalidArgument.
  absl::Status Start(Handler handler);
  int port() const;  // the bound port
  /// New requests get 503 with Retry-After from now on; those in flight go on.
  void RefuseNew();
  /// RefuseNew, then waits up to `grace` for the requests in flight and ends the rest: streams with
  /// their last words, unanswered requests with 503.
  DrainReport Drain(std::chrono::milliseconds grace);
  /// Closes the port and every connection. Idempotent.
  void Stop();
  HttpServerStats stats() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
