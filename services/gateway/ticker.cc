// Waits until the time, or until it changes.
#include "services/gateway/ticker.h"

#include <algorithm>

namespace emptor::services {

using std::chrono::steady_clock;

Ticker::~Ticker() { Stop(); }

void Ticker::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

void Ticker::Arm(TimePoint at) {
  const std::lock_guard lock(mutex_);
  const bool is_sooner = at < next_;
  next_ = at;
  if (is_sooner) changed_.notify_one();
}

void Ticker::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Ticker::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const TimePoint at = next_;
    const TimePoint latest = steady_clock::now() + std::chrono::seconds(1);
    changed_.wait_until(lock, stop, std::min(at, latest), [&] { return next_ < at; });
    if (stop.stop_requested() || next_ > steady_clock::now()) continue;
    next_ = TimePoint::max();
    lock.unlock();
    due_();
    lock.lock();
  }
}

}  // namespace emptor::services
