// An exchange without a socket, to test handlers: the second implementation of the port.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "services/http/exchange.h"

namespace emptor::services {

/// The client's end of one in-memory exchange. Thread-safety: any thread.
class InMemoryClient {
 public:
  struct Options {
    bool streams_refused = false;  // as when the stream limit is reached
    bool reads = true;             // false: what is pushed stays queued
    size_t max_stream_queue_bytes = 256 * 1024;
  };

  explicit InMemoryClient(Options options) : options_(options) {}

  /// Waits for Respond, StartSse or the death of the exchange. False when time is up.
  bool WaitForAnswer(std::chrono::milliseconds timeout) const;
  /// Waits until a plain answer is complete or a stream has ended. False when time is up.
  bool WaitForEnd(std::chrono::milliseconds timeout) const;

  /// The plain answer; for a stream status 200, content type, headers and what was pushed so far.
  Response response() const;
  bool is_stream() const;
  /// Empties the queue and returns what was in it.
  std::string Read();
  /// Why the stream ended; empty while it runs and for plain answers.
  std::optional<StreamEnd> end() const;

  /// Goes away, as a closed connection does: the stream ends with kPeerGone.
  void Leave();

 private:
  friend class InMemoryExchange;
  friend class InMemorySink;

  void Answer(Response response);
  void OnGone(std::function<void()> gone);
  bool Open(StreamOptions options);
  bool Push(std::string_view bytes);
  bool WaitForRoom(size_t bytes, std::chrono::milliseconds patience);
  bool Fits(size_t bytes) const;  // REQUIRES: mutex_ held
  /// Ends the stream with `words`; calls on_end on this thread. Only the first end counts.
  void End(StreamEnd end, std::string_view words);
  std::string last_words() const;

  const Options options_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool gone_ = false;                      // guarded by mutex_
  bool answered_ = false;                  // guarded by mutex_
  bool stream_ = false;                    // guarded by mutex_
  std::optional<StreamEnd> end_;           // guarded by mutex_
  Response response_;                      // guarded by mutex_
  std::string last_words_;                 // guarded by mutex_
  std::function<void(StreamEnd)> on_end_;  // guarded by mutex_
  std::function<void()> on_gone_;          // guarded by mutex_
};

/// Implements Exchange for an InMemoryClient. on_end is called on the thread that ends the stream.
class InMemoryExchange final : public Exchange {
 public:
  InMemoryExchange(Request request, std::shared_ptr<InMemoryClient> client);
  ~InMemoryExchange() override;

  const Request& request() const override { return request_; }
  void Respond(Response response) override;
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override;
  void OnPeerGone(std::function<void()> gone) override;

 private:
  bool TakeTurn();

  const Request request_;
  const std::shared_ptr<InMemoryClient> client_;
  std::mutex mutex_;
  bool answered_ = false;  // guarded by mutex_
};

}  // namespace emptor::services
