// One answer that the hub is writing: its bounded queue and its state.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "services/http/exchange.h"
#include "services/http/socket.h"
#include "services/http/stream_release.h"

namespace emptor::services {

/// The queue between producers (any thread) and the hub's thread, for one stream or one plain
/// answer. Private to the hub.
/// Invariant: unsent_bytes() <= max_queue_bytes + head + last words.
class StreamChannel {
 public:
  enum class State { kOpen, kFinishing, kDead };
  using Clock = std::chrono::steady_clock;

  struct Setup {
    uint64_t id = 0;
    std::shared_ptr<Socket> socket;
    std::string head;  // goes out first
    bool chunked = false;
    bool is_stream = false;
    size_t max_queue_bytes = 0;
    StreamOptions options;
    ReleaseFunction on_release;
  };

  /// What to write next.
  struct Batch {
    State state;
    StreamEnd end;
    std::string bytes;
    uint64_t events = 0;
  };

  explicit StreamChannel(Setup setup);

  /// Appends one event. False when the stream is not open, or dies of it (overflow).
  bool Push(std::string_view bytes);
  /// Waits until the queue has room for so many bytes. False when the stream is not open, or dies
  /// of it: it stalled for `patience`.
  /// False while a push of so many bytes would overflow; a dead stream has room.
  bool HasRoom(size_t bytes) const;
  bool WaitForRoom(size_t bytes, std::chrono::milliseconds patience);
  /// Ends the stream with `words` (an event, or nothing) for the reason `end`. Only the first end
  /// counts.
  void Finish(std::string_view words, StreamEnd end);
  /// Queues a comment that keeps the connection alive.
  void Ping();
  /// Ends the stream at once and drops what is queued.
  void Kill(StreamEnd end);

  /// Moves everything queued out. Hub's thread.
  Batch Take();
  State state() const;
  /// Records that `n` bytes of a batch were written to the socket.
  void Sent(size_t n);
  size_t unsent_bytes() const { return unsent_bytes_.load(); }

  const Setup& setup() const { return setup_; }
  /// True for streams that a comment line does not disturb.
  bool takes_pings() const { return takes_pings_; }

  /// Calls on_end (streams only), once. Hub's thread.
  void ReportEnd(StreamEnd end);
  /// Releases the socket and calls on_release, once. A producer may keep its dead sink for long;
  /// the descriptor is freed now. Hub's thread.
  void Release(bool complete, StreamEnd end);

  // Hub's thread only.
  std::string writing;
  size_t written = 0;       // of `writing`
  uint64_t sent_bytes = 0;  // in all
  uint64_t writing_events = 0;
  bool blocked = false;
  Clock::time_point blocked_since;
  Clock::time_point last_write;

 private:
  void Append(std::string_view bytes);  // REQUIRES: mutex_ held

  Setup setup_;
  const bool takes_pings_;
  // A waiting producer increments waiting_ before it reads unsent_bytes_; the hub decrements
  // unsent_bytes_ before it reads waiting_. So one of them sees the other.
  std::atomic<size_t> unsent_bytes_{0};
  std::atomic<int> waiting_{0};
  mutable std::mutex mutex_;
  std::condition_variable room_;
  std::string queued_;                    // guarded by mutex_
  uint64_t queued_events_ = 0;            // guarded by mutex_
  State state_ = State::kOpen;            // guarded by mutex_
  StreamEnd end_ = StreamEnd::kFinished;  // guarded by mutex_
};

}  // namespace emptor::services
