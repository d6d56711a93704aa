// The HTTP port: what a handler sees of a request and how it answers. No library's type appears
// here.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace emptor::services {

/// One complete, checked request. Header names are lower-case. Path is percent-decoded and free of
/// dot segments; query values are decoded.
struct Request {
  std::string method;
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string remote;  // address of the peer
  std::string id;      // unique, also sent as X-Request-Id

  /// First value of the name, or empty.
  std::string_view Header(std::string_view lower_case_name) const;
  std::string_view Query(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// Why a stream ended.
enum class StreamEnd { kFinished, kPeerGone, kOverflow, kStalled, kShutdown };

/// The sending half of one event stream. Thread-safety: any thread, any time, also after the end.
class StreamSink {
 public:
  virtual ~StreamSink() = default;
  /// Queues bytes of the body (complete SSE events). False once the stream is dead: stop the work.
  virtual bool Push(std::string_view bytes) = 0;
  /// As Push, but waits for the reader while the queue is too full, and ends the stream as stalled
  /// when that takes longer than `patience`. Not on the hub's thread.
  virtual bool PushWhenRoom(std::string_view bytes, std::chrono::milliseconds patience) = 0;
  /// Ends the stream after what is queued. Idempotent.
  virtual void Finish() = 0;
};

struct StreamOptions {
  std::string content_type = "text/event-stream";
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// Called once, on the hub's thread, when the stream has ended for whatever reason. Must not
  /// block.
  std::function<void(StreamEnd)> on_end = {};
  /// What drain sends before it ends a stream that is still open, e.g. an `error` event.
  std::string last_words = {};
};

/// One request's chance to answer: exactly one of Respond and StartSse, on the calling thread or
/// later from another one. An exchange that dies unanswered sends 500.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual const Request& request() const = 0;
  /// The answer to HEAD is that to GET; its body is counted in Content-Length and not sent.
  virtual void Respond(Response response) = 0;
  /// Null when the peer has gone, the stream limit is reached (503 was sent), or the request is
  /// HEAD (the head was sent).
  virtual std::shared_ptr<StreamSink> StartSse(StreamOptions options) = 0;
  /// Calls `gone` once if the peer closes the connection, or its sending half, before a plain
  /// answer is out: at once when that has happened already, never after the answer. On any thread;
  /// must not block. Streams tell by on_end instead.
  virtual void OnPeerGone(std::function<void()> gone) = 0;
};

/// Handlers run on HTTP worker threads and must not wait: long work is handed to another thread,
/// which keeps the exchange.
using Handler = std::function<void(std::shared_ptr<Exchange>)>;

/// One request and how it was answered: no query, no body, none of its words.
struct AccessRecord {
  std::string method, path;  // as far as they were read; the path is percent-decoded and cut
  std::string request_id, peer, shop, user_agent;  // shop: X-Emptor-Shop; user_agent: cut
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

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;  // 0: a free one
  int threads = 2;
  size_t max_header_bytes = 16 * 1024;
  int max_headers = 64;
  size_t max_body_bytes = 1 << 20;
  BodyLimit body_limit = {};  // may lower max_body_bytes before a body is read; may be empty
  /// Memory for the bodies of incomplete requests, over all connections; beyond it they get 503.
  size_t max_unfinished_bytes = 128u << 20;
  std::chrono::milliseconds header_timeout{10000};  // whole head, and whole body, each
  std::chrono::milliseconds idle_timeout{30000};    // keep-alive connection without a request
  AccessObserver on_answered = {};                  // may be empty
  size_t max_connections = 10000;                   // more are answered 503 and closed
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

/// Serves one handler on one address. The handler gets every well-formed request and routes itself.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  /// Binds and starts. Errors: kUnavailable (address in use), kInvalidArgument.
  virtual absl::Status Start(Handler handler) = 0;
  virtual int port() const = 0;  // the bound port
  /// New requests get 503 with Retry-After from now on; those in flight go on.
  virtual void RefuseNew() = 0;
  /// RefuseNew, then waits up to `grace` for the requests in flight and ends the rest: streams with
  /// their last words, unanswered requests with 503.
  virtual DrainReport Drain(std::chrono::milliseconds grace) = 0;
  virtual void Stop() = 0;
  virtual HttpServerStats stats() const = 0;
};

}  // namespace emptor::services
