// What a handler sees of an HTTP request and how it answers. No library's type appears here.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  /// False while a push of so many bytes would overflow the queue. For writers that can pause:
  /// there is no call when the reader has made room.
  virtual bool HasRoom(size_t bytes) const {
    static_cast<void>(bytes);
    return true;
  }
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
  /// The id of the key that was sent; empty: none, or nobody asked for one.
  virtual std::string_view caller() const { return {}; }
  /// True when the caller may read records. For routes that are open to anybody and say more to
  /// those who may (Access::kOpen); where reading is needed, nobody else gets there.
  virtual bool may_read() const { return false; }
  /// Takes what an answer of a language model may cost from the caller's limits. For routes that
  /// generate at times only; those that always do have it taken before (Route::generates). False:
  /// the exchange was answered with 429.
  virtual bool ReserveTokens() { return true; }
  /// Reports how many tokens a language model read and wrote for the answer, before its end. For
  /// limits; nothing else depends on it.
  virtual void CountTokens(int64_t tokens) { static_cast<void>(tokens); }
  /// The answer to HEAD is that to GET; its body is counted in Content-Length and not sent.
  virtual void Respond(Response response) = 0;
  /// Null when the peer has gone, the stream limit is reached (503 was sent), or the request is
  /// HEAD (the head was sent).
  virtual std::shared_ptr<StreamSink> StartSse(StreamOptions options) = 0;
  /// Calls `gone` once if the peer closes the connection, or its sending half, before a plain
  /// answer is written: at once when that has happened already, never after the answer. On any
  /// thread; must not block. A stream reports the same through on_end.
  virtual void OnPeerGone(std::function<void()> gone) = 0;
};

/// Handlers run on HTTP worker threads and must not wait: long work is handed to another thread,
/// which keeps the exchange.
using Handler = std::function<void(std::shared_ptr<Exchange>)>;

}  // namespace emptor::services
