// How many requests of a fleet may be sent more than once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace emptor::services {

struct RetryBudgetPolicy {
  double per_success = 0.2;  // a request that was answered pays for this share of another attempt
  double at_start = 10;      // attempts that nothing has paid for
  double most = 200;         // that are saved up
};

/// Attempts beyond the first of each request, retries and hedges alike, are at most
/// at_start + per_success * answered requests: a fleet that fails as a whole is not asked more
/// often for it. Retries after a failed trial are not counted: pauses bound their number. A value;
/// no clock. Thread-safety: none.
class RetryBudget {
 public:
  explicit RetryBudget(RetryBudgetPolicy policy) : policy_(policy), level_(policy.at_start) {}

  void OnSuccess() { level_ = std::min(policy_.most, level_ + policy_.per_success); }
  /// False: there may be no other attempt.
  bool TryTake() {
    if (level_ < 1) return false;
    level_ -= 1;
    return true;
  }
  double level() const { return level_; }

 private:
  RetryBudgetPolicy policy_;
  double level_;
};

}  // namespace emptor::services
