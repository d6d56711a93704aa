// The header Idempotency-Key on routes that would do the same twice.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/auth/decision.h"
#include "services/http/exchange.h"
#include "services/limits/idempotency_store.h"

namespace emptor::services {

inline constexpr std::string_view kIdempotencyHeader = "idempotency-key";
inline constexpr size_t kMaxIdempotencyKeyBytes = 255;

/// The key of the request: `"abc"`, the form of the draft, and `abc` are the same. Empty: there is
/// none. Errors: kInvalidArgument.
absl::StatusOr<std::string> IdempotencyKeyOf(const Request& request);

/// Lets a request with a key pass once and answers it again from what was kept: of the same caller
/// with the same request. The caller is the key of the service that was sent; with a browser key
/// or without one also the shopper, or, where no shopper's token was sent, the client's address.
/// Kept are answers of the status 2xx; a stream of events is not, nor is it known. Thread-safety:
/// any thread. Outlives its exchanges by shared ownership.
class IdempotencyGate : public std::enable_shared_from_this<IdempotencyGate> {
 public:
  IdempotencyGate(IdempotencyLimits limits, const IdempotencyStore::Clock& clock,
                  std::vector<std::string> trusted_proxies);

  /// False: the exchange was answered. Else it is wrapped where its answer is to be kept.
  bool Admit(const Route& route, const Grant& grant, std::shared_ptr<Exchange>& exchange);

  /// Requests with a key that were answered so.
  uint64_t answered(IdempotencyStore::Outcome outcome) const;
  size_t kept() { return store_.size(); }

 private:
  friend class IdempotentExchange;
  std::string CallerOf(const Grant& grant, const Request& request) const;
  void Answer(const IdempotencyStore::Claimed& claimed, Exchange& exchange) const;

  IdempotencyStore store_;
  const std::vector<std::string> trusted_proxies_;
  std::array<std::atomic<uint64_t>, 5> answered_{};  // by outcome
};

}  // namespace emptor::services
