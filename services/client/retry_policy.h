// When to ask a server again: pure decisions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace emptor::services {

struct RetryOptions {
  int attempts = 5;  // the first one among them
  std::chrono::milliseconds first{500};
  std::chrono::milliseconds longest{20000};  // of one wait, whatever the server asks for
};

/// True for what may pass by waiting: no answer (0), 408, 429 and 5xx but 501.
bool IsWorthRetrying(int http_status);

/// How long to wait before the next attempt after `made` of them; nothing: give up. Doubles each
/// time; `random` in [0, 1) takes a wait to between half and all of it, so that clients that failed
/// together do not come back together. What the server asks for (0: nothing) is the least.
std::optional<std::chrono::milliseconds> PlanRetry(const RetryOptions& options, int made,
                                                   std::chrono::milliseconds asked, double random);

/// What a server asks for by Retry-After, as libcurl reports it: from 0 to a day. Dates that have
/// passed are negative there, and numbers that it cannot read are the largest.
std::chrono::seconds RetryAfterOf(int64_t seconds);

/// How long a server is left alone after so many failures in a row, at least one.
std::chrono::milliseconds PlanPause(int failures, double random);

}  // namespace emptor::services
