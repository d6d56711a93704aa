// What the connections of one server share: options, handler, hub, counters.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "services/http/drain.h"
#include "services/http/http_server.h"
#include "services/http/response_head.h"
#include "services/http/stream_hub.h"

namespace emptor::services {

/// A counter; threads can wait until it is zero. Thread-safety: any thread.
class CountDown {
 public:
  void Add() {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  void Remove() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) zero_.notify_all();
  }
  size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  bool WaitForZero(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    return zero_.wait_for(lock, timeout, [&] { return count_ == 0; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable zero_;
  size_t count_ = 0;  // guarded by mutex_
};

/// Shared by the server, its connections and their exchanges.
/// Thread-safety: options, handler and hub are set before the first connection and never changed.
struct ServerContext {
  /// Of an error that the server answers itself.
  std::string BodyOfError(int status, std::string_view code, std::string_view message,
                          std::string_view request_id) const {
    return options.error_body ? options.error_body(status, code, message, request_id)
                              : FormatErrorBody(code, message, request_id);
  }
  Response MakeError(int status, std::string_view code, std::string_view message,
                     std::string_view request_id) const {
    Response response;
    response.status = status;
    response.body = BodyOfError(status, code, message, request_id);
    response.headers.emplace_back("Cache-Control", "no-store");
    if (status == 503) response.headers.emplace_back("Retry-After", "1");
    return response;
  }

  HttpServerOptions options;
  Handler handler;
  std::shared_ptr<StreamHub> hub;

  std::atomic<uint64_t> requests{0}, refused{0};
  std::atomic<size_t> unfinished_bytes{0};  // held for incomplete requests
  std::atomic<bool> draining{false};        // new requests are refused
  std::atomic<size_t> running_at_drain{0};  // requests in flight when that began
  CountDown connections;
  InFlightRequests in_flight;
};

}  // namespace emptor::services
