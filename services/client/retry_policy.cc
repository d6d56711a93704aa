// Exponential backoff with jitter.
#include "services/client/retry_policy.h"

#include <algorithm>

namespace emptor::services {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{1000}, kLongestPause{30000};
constexpr std::chrono::seconds kLongestRetryAfter{24 * 3600};

/// `first` doubled `times` times, at most `longest`, between half of it and all.
milliseconds Doubled(milliseconds first, int times, milliseconds longest, double random) {
  milliseconds wait = std::min(first, longest);
  for (int i = 0; i < times && wait < longest; ++i) wait = std::min(2 * wait, longest);
  const double count = static_cast<double>(wait.count()) * (0.5 + 0.5 * random);
  return milliseconds(static_cast<int64_t>(count));
}

}  // namespace

bool IsWorthRetrying(int http_status) {
  return http_status == 0 || http_status == 408 || http_status == 429 ||
         (http_status >= 500 && http_status != 501);
}

std::optional<milliseconds> PlanRetry(const RetryOptions& options, int made, milliseconds asked,
                                      double random) {
  if (made >= options.attempts) return std::nullopt;
  const milliseconds wait = Doubled(options.first, made - 1, options.longest, random);
  return std::min(std::max(wait, asked), options.longest);
}

std::chrono::seconds RetryAfterOf(int64_t seconds) {
  return std::chrono::seconds(std::clamp<int64_t>(seconds, 0, kLongestRetryAfter.count()));
}

milliseconds PlanPause(int failures, double random) {
  return Doubled(kFirstPause, failures - 1, kLongestPause, random);
}

}  // namespace emptor::services
