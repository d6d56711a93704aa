// A token bucket in virtual time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

namespace emptor::services {

/// Gives `per_minute` units a minute, `burst` at once. A charge may take it below zero: what was
/// used beyond a reservation is paid back by waiting. Pure but for its state: callers pass the
/// time, which never goes back. Thread-safety: none.
class TokenBucket {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Policy {
    double per_minute = 0;  // 0: no limit
    double burst = 0;       // at least 1

    bool is_unlimited() const { return per_minute <= 0; }
  };

  /// Full.
  TokenBucket(Policy policy, TimePoint now)
      : policy_(policy), level_(policy.burst), filled_at_(now) {}

  double LevelAt(TimePoint now) const {
    const std::chrono::duration<double> passed = now - filled_at_;
    return std::min(policy_.burst, level_ + std::max(0.0, passed.count()) * PerSecond());
  }
  /// Takes `units`, or nothing when fewer are there. More than a full bucket can be taken from a
  /// full one.
  bool TryTake(double units, TimePoint now) {
    if (policy_.is_unlimited()) return true;
    const double level = LevelAt(now);
    if (level < std::min(units, policy_.burst)) return false;
    Set(level - units, now);
    return true;
  }
  /// Takes `units`, whatever is there; negative: gives them back.
  void Charge(double units, TimePoint now) {
    if (policy_.is_unlimited()) return;
    Set(std::min(policy_.burst, LevelAt(now) - units), now);
  }
  /// Seconds until TryTake of `units` would succeed.
  double SecondsUntil(double units, TimePoint now) const {
    if (policy_.is_unlimited()) return 0;
    return std::max(0.0, (std::min(units, policy_.burst) - LevelAt(now)) / PerSecond());
  }
  const Policy& policy() const { return policy_; }

 private:
  double PerSecond() const { return policy_.per_minute / 60; }
  void Set(double level, TimePoint now) {
    level_ = level;
    filled_at_ = now;
  }

  Policy policy_;
  double level_;
  TimePoint filled_at_;
};

}  // namespace emptor::services
