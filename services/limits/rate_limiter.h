// How much each caller may ask for: requests, tokens of language models, open streams.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "services/limits/token_bucket.h"

namespace emptor::services {

/// 0: no limit.
struct CallerLimits {
  TokenBucket::Policy requests = {};
  TokenBucket::Policy tokens = {};
  int streams = 0;
};

enum class Limit { kNone, kRequests, kTokens, kStreams };

/// What a caller has left after a decision.
struct LimitState {
  Limit exceeded = Limit::kNone;
  double retry_seconds = 0;  // where one is exceeded
  double requests_left = 0, requests_full_seconds = 0;
  double tokens_left = 0, tokens_full_seconds = 0;
};

/// Thread-safety: any thread. Memory: at most `max_callers` callers; beyond it the one that was
/// idle longest and has no open stream is forgotten, and begins with full buckets.
class RateLimiter {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  RateLimiter(const CallerLimits& limits, Clock clock, size_t max_callers = 20000);

  /// Takes one request and reserves tokens: both, or nothing.
  LimitState Admit(const std::string& caller, double reserved_tokens) {
    return Take(caller, 1, reserved_tokens);
  }
  /// Reserves tokens for a request that was admitted without.
  LimitState Reserve(const std::string& caller, double tokens) { return Take(caller, 0, tokens); }
  /// Replaces a reservation by what was used.
  void Settle(const std::string& caller, double reserved_tokens, double used_tokens);
  /// False: the caller has all the streams open that it may have.
  bool TakeStream(const std::string& caller);
  void GiveStream(const std::string& caller);

  const CallerLimits& limits() const { return limits_; }
  size_t callers() const;

 private:
  struct Caller {
    TokenBucket requests, tokens;
    int streams = 0;
    std::list<std::string>::iterator place;
  };
  LimitState Take(const std::string& caller, double requests, double tokens);
  // With mutex_ held:
  Caller& Find(const std::string& name, TokenBucket::TimePoint now);
  void ForgetIdle();

  const CallerLimits limits_;
  const Clock clock_;
  const size_t max_callers_;
  mutable std::mutex mutex_;
  std::list<std::string> order_;                     // least recently used first; guarded by mutex_
  std::unordered_map<std::string, Caller> callers_;  // guarded by mutex_
};

}  // namespace emptor::services
