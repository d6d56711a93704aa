// Limits of a port: lets an admitted request pass by what its caller has left, or answers 429.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/api/router.h"
#include "services/auth/decision.h"
#include "services/http/exchange.h"
#include "services/limits/rate_limiter.h"

namespace emptor::services {

/// client_address.h, of the fields of the request.
std::string ClientAddressOf(const Request& request,
                            const std::vector<std::string>& trusted_proxies);

struct RateGateOptions {
  CallerLimits per_address = {};  // of callers without a key, and with a browser key
  CallerLimits per_key = {};      // of browser and server keys
  std::vector<std::string> trusted_proxies = {};
};

/// Counts by address what comes without a key or with a browser key, which lies in a public page,
/// and by key what comes with a browser or server key. Not limited: routes of Access::kOpen and
/// Access::kMonitor (pages, images, health, metrics), except what Route::counts_readers counts;
/// admin keys, and programs of this machine without a key that come through no proxy.
/// Thread-safety: any thread. Outlives its exchanges' answers by shared ownership.
class RateGate : public std::enable_shared_from_this<RateGate> {
 public:
  RateGate(RateGateOptions options, const RateLimiter::Clock& clock);

  /// False: the exchange was answered with 429. Else it is wrapped: the answer says what is left
  /// (draft-ietf-httpapi-ratelimit-headers), a stream counts while it is open, and the tokens of
  /// the answer replace those that were reserved.
  bool Admit(const Route& route, const Grant& grant, std::shared_ptr<Exchange>& exchange);

  /// Requests that were refused; `by_key`: by the limits of keys, else of addresses.
  uint64_t refused(Limit limit, bool by_key) const;

 private:
  friend class LimitedExchange;
  struct Count {
    bool by_key = false;
    std::string caller;
    LimitState state = {};
  };
  RateLimiter& LimiterOf(bool by_key) { return by_key ? keys_ : addresses_; }
  std::vector<Count> CallersOf(const Route& route, const Grant& grant,
                               const Exchange& exchange) const;
  /// Of all of them, or of none: then the exchange was answered.
  bool Reserve(std::vector<Count>& counts, Exchange& exchange);
  void Refuse(const Count& count, Exchange& exchange, const std::vector<Count>& counts,
              bool generates);

  const RateGateOptions options_;
  RateLimiter addresses_, keys_;
  std::array<std::array<std::atomic<uint64_t>, 4>, 2> refused_{};  // by key or not, by Limit
};

}  // namespace emptor::services
