// A thread that says when something is due.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace emptor::services {

/// Thread-safety: any thread.
class Ticker {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Ticker(std::function<void()> due) : due_(std::move(due)) {}
  ~Ticker();  // as Stop

  /// From now on `due` is called on the ticker's thread: at once, and then after each Arm.
  void Start();
  /// Replaces the time of the next call.
  void Arm(TimePoint at);
  /// Calls nothing from then on. Idempotent.
  void Stop();

 private:
  void Run(const std::stop_token& stop);

  const std::function<void()> due_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  TimePoint next_{};  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace emptor::services
