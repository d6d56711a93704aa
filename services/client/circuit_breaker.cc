// The states of a circuit breaker.
#include "services/client/circuit_breaker.h"

#include "services/client/retry_policy.h"

namespace emptor::services {

bool CircuitBreaker::Allow(TimePoint now, std::chrono::milliseconds probe) {
  const std::lock_guard lock(mutex_);
  if (failures_ == 0) return true;
  if (now < open_until_) {
    ++refused_;
    return false;
  }
  open_until_ = now + probe;
  return true;
}

bool CircuitBreaker::Succeed() {
  const std::lock_guard lock(mutex_);
  const bool was_open = failures_ > 0;
  failures_ = 0;
  return was_open;
}

bool CircuitBreaker::Fail(const std::string& why, TimePoint now, double random) {
  const std::lock_guard lock(mutex_);
  last_error_ = why;
  ++failures_;
  open_until_ = now + PlanPause(failures_, random);
  return failures_ == 1;
}

void CircuitBreaker::Abandon(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (failures_ > 0 && open_until_ > now) open_until_ = now;
}

bool CircuitBreaker::is_closed() const {
  const std::lock_guard lock(mutex_);
  return failures_ == 0;
}

std::string CircuitBreaker::last_error() const {
  const std::lock_guard lock(mutex_);
  return last_error_;
}

uint64_t CircuitBreaker::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace emptor::services
