// One thread writes every answer that does not fit into the socket at once: event streams, and the
// rest of large plain answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "services/http/exchange.h"
#include "services/http/socket.h"
#include "services/http/stream_release.h"

namespace emptor::services {

struct StreamHubOptions {
  size_t max_streams = 2000;
  size_t max_queue_bytes = 256 * 1024;
  std::chrono::milliseconds ping_interval{10000};
  std::chrono::milliseconds stall_timeout{10000};
};

struct StreamHubStats {
  size_t active_streams = 0;
  uint64_t finished = 0, peer_gone = 0, overflow = 0, stalled = 0, shutdown = 0;
  uint64_t events_sent = 0;  // pushes whose last byte went into the socket
};

/// Owns the writing half of every running stream. A push, on any thread, only appends to a bounded
/// queue. One epoll thread writes, detects a peer that leaves, pings silent streams and cuts
/// readers that do not read. Thread-safety: all members from any thread; Stop not from the hub's
/// own. Lifetime: sinks may outlive the hub; they are dead then.
class StreamHub {
 public:
  /// A stream to open.
  struct Stream {
    std::shared_ptr<Socket> socket;
    std::string head;     // goes out first
    bool chunked = true;  // HTTP/1.1 framing of what is pushed
    StreamOptions options;
    ReleaseFunction on_release;  // after options.on_end
  };

  /// Starts the thread. Errors: kUnavailable when the kernel grants no epoll or eventfd.
  static absl::StatusOr<std::unique_ptr<StreamHub>> Create(StreamHubOptions options);
  ~StreamHub();
  StreamHub(const StreamHub&) = delete;
  StreamHub& operator=(const StreamHub&) = delete;

  /// Opens a stream. Null, and no callback of `stream` is called, when the limit is reached, the
  /// hub drains or has stopped. Destroying an unfinished sink ends its stream with the last words.
  std::shared_ptr<StreamSink> Open(Stream stream);

  /// Writes the rest of a plain answer. The stall limit applies, the stream limit does not. False
  /// when the hub has stopped; `on_release` is not called then.
  bool WriteRest(std::shared_ptr<Socket> socket, std::string bytes, ReleaseFunction on_release);

  /// Opens no more streams and ends the open ones with their last words (StreamEnd::kShutdown).
  void StartDrain();
  /// Waits until nothing is left to write. False when time is up.
  bool WaitUntilEmpty(std::chrono::milliseconds timeout);

  /// Cuts what is left and ends the thread. Idempotent.
  void Stop();

  StreamHubStats stats() const;

 private:
  struct Shared;
  class Loop;
  class Sink;

  explicit StreamHub(std::shared_ptr<Shared> shared);

  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace emptor::services
