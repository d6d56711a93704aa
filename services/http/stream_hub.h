// One thread that writes all answers which do not fit into the socket at once: event streams, and
// the rest of large plain answers.
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

/// Owns the writing half of every running stream. Pushes come from any thread and only append to a
/// bounded queue; one epoll thread writes, sees at once when a peer leaves, pings streams that are
/// silent, and cuts readers that do not read.
/// Thread-safety: all members from any thread; Stop not from the hub's own.
/// Lifetime: sinks may outlive the hub; they are dead then.
class StreamHub {
 public:
  /// One stream to be.
  struct Stream {
    std::shared_ptr<Socket> socket;
    std::string head;     // goes out first
    bool chunked = true;  // HTTP/1.1 framing of what is pushed
    StreamOptions options;
    ReleaseFunction on_release;  // after options.on_end
  };

  /// Starts the thread. Errors: kUnavailable when the kernel has no epoll or eventfd to give.
  static absl::StatusOr<std::unique_ptr<StreamHub>> Create(StreamHubOptions options);
  ~StreamHub();
  StreamHub(const StreamHub&) = delete;
  StreamHub& operator=(const StreamHub&) = delete;

  /// Takes a stream over. Null, and nothing of `stream` is called, when the limit is reached, the
  /// hub drains or has stopped. A sink that dies unfinished ends its stream with the last words.
  std::shared_ptr<StreamSink> Open(Stream stream);

  /// Writes the rest of a plain answer; the stall limit holds, the stream limit does not. False
  /// when the hub has stopped; then `on_release` is not called.
  bool WriteRest(std::shared_ptr<Socket> socket, std::string bytes, ReleaseFunction on_release);

  /// Opens nothing more and ends the open streams with their last words (StreamEnd::kShutdown).
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
