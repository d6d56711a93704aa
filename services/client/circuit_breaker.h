// Keeps callers from waiting for a server that has just failed.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace emptor::services {

/// Closed: every call may go. A failure opens it for a pause that doubles with each failure in a
/// row (PlanPause); after the pause one call at a time may go, and its success closes it.
/// Thread-safety: any thread.
class CircuitBreaker {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// True: the caller may go, and reports the end by Succeed, Fail or Abandon. While it is not
  /// closed, others are then refused for `probe`, the time that this call may take.
  bool Allow(TimePoint now, std::chrono::milliseconds probe);

  /// True if it was not closed.
  bool Succeed();
  /// True if it was closed. `random` in [0, 1) takes the pause to between half and all of it.
  bool Fail(const std::string& why, TimePoint now, double random);
  /// The call ended before it showed how the server is.
  void Abandon(TimePoint now);

  bool is_closed() const;
  /// Why the latest call failed; empty: none has.
  std::string last_error() const;
  uint64_t refused() const;  // calls

 private:
  mutable std::mutex mutex_;
  int failures_ = 0;      // in a row; guarded by mutex_, as are the rest
  TimePoint open_until_;  // while failures_ > 0
  std::string last_error_;
  uint64_t refused_ = 0;
};

}  // namespace emptor::services
