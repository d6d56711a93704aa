// A plain HTTP client for tests and load runs: one request a connection, event streams parsed as
// they come. Real sockets and nothing in between, so that a test sees what a browser would see.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::testing {

/// One server-sent event.
struct SseEvent {
  std::string id, name, data;
};

/// Collects the events of a stream from bytes that may be cut anywhere.
class SseParser {
 public:
  /// Takes bytes of the (de-chunked) body and calls `on_event` for every complete event.
  void Feed(std::string_view bytes, const std::function<void(const SseEvent&)>& on_event);
  int comments() const { return comments_; }

 private:
  void Line(std::string_view line, const std::function<void(const SseEvent&)>& on_event);
  std::string pending_;
  SseEvent event_;
  int comments_ = 0;
};

struct HttpReply {
  int status = 0;  // 0: the connection failed or ended before the head
  std::string head, body;
  bool complete = false;
};

/// One connection to 127.0.0.1.
class HttpConnection {
 public:
  explicit HttpConnection(int port);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  bool connected() const { return fd_ >= 0; }
  bool Send(std::string_view bytes) const;
  /// Sends "METHOD path" with the body as JSON and Connection: close.
  /// `headers`: more lines, each with its line end.
  bool SendRequest(std::string_view method, std::string_view path, std::string_view body,
                   std::string_view headers = {}) const;

  /// Reads one reply to its end. For an event stream `on_event` is called as events come; it
  /// returns false to hang up at once (a reset). Body stays empty for streams.
  HttpReply ReadReply(std::chrono::milliseconds timeout,
                      const std::function<bool(const SseEvent&)>& on_event = nullptr);

  /// Closes with a reset, as a vanished client does.
  void Reset();

 private:
  int fd_ = -1;
};

/// A whole exchange on a connection of its own.
HttpReply Fetch(int port, std::string_view method, std::string_view path,
                std::string_view body = {},
                const std::function<bool(const SseEvent&)>& on_event = nullptr);
/// The same with a key.
HttpReply FetchWithKey(int port, const std::string& key, std::string_view method,
                       std::string_view path, std::string_view body = {});

}  // namespace emptor::testing
