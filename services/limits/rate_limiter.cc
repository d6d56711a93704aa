// Buckets by caller, least recently used first out.
#include "services/limits/rate_limiter.h"

#include <iterator>
#include <utility>

namespace emptor::services {
namespace {

/// Callers that are looked at to find one without a stream.
constexpr int kLookedAt = 64;

double SecondsUntilFull(const TokenBucket& bucket, TokenBucket::TimePoint now) {
  return bucket.SecondsUntil(bucket.policy().burst, now);
}

}  // namespace

RateLimiter::RateLimiter(const CallerLimits& limits, Clock clock, size_t max_callers)
    : limits_(limits), clock_(std::move(clock)), max_callers_(max_callers) {}

RateLimiter::Caller& RateLimiter::Find(const std::string& name, TokenBucket::TimePoint now) {
  if (const auto found = callers_.find(name); found != callers_.end()) {
    order_.splice(order_.end(), order_, found->second.place);
    return found->second;
  }
  if (callers_.size() >= max_callers_) ForgetIdle();
  order_.push_back(name);
  return callers_
      .emplace(name, Caller{TokenBucket(limits_.requests, now), TokenBucket(limits_.tokens, now), 0,
                            std::prev(order_.end())})
      .first->second;
}

void RateLimiter::ForgetIdle() {
  int looked_at = 0;
  for (auto name = order_.begin(); name != order_.end() && looked_at < kLookedAt; ++looked_at) {
    const auto found = callers_.find(*name);
    if (found->second.streams > 0) {
      ++name;
      continue;
    }
    callers_.erase(found);
    order_.erase(name);
    return;
  }
}

LimitState RateLimiter::Take(const std::string& caller, double requests, double tokens) {
  const auto now = clock_();
  const std::lock_guard lock(mutex_);
  Caller& found = Find(caller, now);
  LimitState state;
  const double request_wait = requests > 0 ? found.requests.SecondsUntil(requests, now) : 0;
  const double token_wait = tokens > 0 ? found.tokens.SecondsUntil(tokens, now) : 0;
  if (request_wait > 0 || token_wait > 0) {
    state.exceeded = request_wait >= token_wait ? Limit::kRequests : Limit::kTokens;
    state.retry_seconds = std::max(request_wait, token_wait);
  } else {
    if (requests > 0) found.requests.TryTake(requests, now);
    if (tokens > 0) found.tokens.TryTake(tokens, now);
  }
  state.requests_left = found.requests.LevelAt(now);
  state.requests_full_seconds = SecondsUntilFull(found.requests, now);
  state.tokens_left = found.tokens.LevelAt(now);
  state.tokens_full_seconds = SecondsUntilFull(found.tokens, now);
  return state;
}

void RateLimiter::Settle(const std::string& caller, double reserved_tokens, double used_tokens) {
  const auto now = clock_();
  const std::lock_guard lock(mutex_);
  Find(caller, now).tokens.Charge(used_tokens - reserved_tokens, now);
}

bool RateLimiter::TakeStream(const std::string& caller) {
  if (limits_.streams <= 0) return true;
  const auto now = clock_();
  const std::lock_guard lock(mutex_);
  Caller& found = Find(caller, now);
  if (found.streams >= limits_.streams) return false;
  ++found.streams;
  return true;
}

void RateLimiter::GiveStream(const std::string& caller) {
  if (limits_.streams <= 0) return;
  const std::lock_guard lock(mutex_);
  const auto found = callers_.find(caller);  // one with a stream is not forgotten
  if (found != callers_.end() && found->second.streams > 0) --found->second.streams;
}

size_t RateLimiter::callers() const {
  const std::lock_guard lock(mutex_);
  return callers_.size();
}

}  // namespace emptor::services
