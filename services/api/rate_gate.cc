// Who is counted, the headers, and the exchange that gives back.
#include "services/api/rate_gate.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "services/api/api_errors.h"
#include "services/http/forwarding_exchange.h"
#include "services/limits/client_address.h"

namespace emptor::services {
namespace {

/// Tokens of a prompt and its answer, reserved until it is known how many they were.
constexpr double kReservedTokens = 1500;
constexpr int kWindowSeconds = 60;

using Headers = std::vector<std::pair<std::string, std::string>>;

int64_t Whole(double value) { return static_cast<int64_t>(std::max(0.0, std::floor(value))); }

void AppendItem(std::string item, std::string& list) {
  list += (list.empty() ? "" : ", ") + std::move(item);
}

/// One policy and what is left of it, as items of RateLimit-Policy and RateLimit.
void AppendPolicy(std::string_view name, std::string_view unit, const TokenBucket::Policy& policy,
                  double left, double full_seconds, std::string& policies, std::string& states) {
  if (policy.is_unlimited()) return;
  AppendItem(
      fmt::format("\"{}\";q={}{};w={}", name, Whole(policy.per_minute), unit, kWindowSeconds),
      policies);
  AppendItem(fmt::format("\"{}\";r={};t={}", name, Whole(left),
                         static_cast<int64_t>(std::ceil(full_seconds))),
             states);
}

}  // namespace

std::string ClientAddressOf(const Request& request,
                            const std::vector<std::string>& trusted_proxies) {
  std::string joined;
  for (const auto& [name, value] : request.headers) {
    if (name != "x-forwarded-for") continue;
    joined += (joined.empty() ? "" : ",") + value;
  }
  return ClientAddress(request.remote, joined, trusted_proxies);
}

/// Settles when the answer is over: an answer with an error used nothing, one that a client left
/// keeps its reservation.
class LimitedExchange final : public ForwardingExchange {
 public:
  LimitedExchange(std::shared_ptr<Exchange> inner, std::shared_ptr<RateGate> gate,
                  std::vector<RateGate::Count> counts, bool generates)
      : ForwardingExchange(std::move(inner)),
        gate_(std::move(gate)),
        counts_(std::move(counts)),
        generates_(generates) {}
  ~LimitedExchange() override {
    if (!generates_ || used_ < 0) return;
    for (const RateGate::Count& count : counts_) {
      gate_->LimiterOf(count.by_key).Settle(count.caller, kReservedTokens, used_);
    }
  }
  LimitedExchange(const LimitedExchange&) = delete;
  LimitedExchange& operator=(const LimitedExchange&) = delete;

  bool ReserveTokens() override {
    if (generates_) return true;
    generates_ = gate_->Reserve(counts_, inner());
    return generates_;
  }
  void CountTokens(int64_t tokens) override { used_ = static_cast<double>(tokens); }
  void Respond(Response response) override {
    if (response.status >= 400 && used_ < 0) used_ = 0;
    AppendHeaders(response.headers);
    inner().Respond(std::move(response));
  }
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override;

  void AppendHeaders(Headers& headers) const {
    auto made = HeadersOf(*gate_, counts_, generates_);
    headers.insert(headers.end(), made.begin(), made.end());
  }
  static Headers HeadersOf(RateGate& gate, const std::vector<RateGate::Count>& counts,
                           bool generates) {
    std::string policies, states;
    for (const auto& [by_key, caller, state] : counts) {
      const CallerLimits& limits = gate.LimiterOf(by_key).limits();
      AppendPolicy(by_key ? "requests-per-key" : "requests-per-address", "", limits.requests,
                   state.requests_left, state.requests_full_seconds, policies, states);
      if (!generates) continue;
      AppendPolicy(by_key ? "tokens-per-key" : "tokens-per-address", ";qu=\"tokens\"",
                   limits.tokens, state.tokens_left, state.tokens_full_seconds, policies, states);
    }
    if (policies.empty()) return {};
    return {{"RateLimit-Policy", std::move(policies)}, {"RateLimit", std::move(states)}};
  }

 private:
  const std::shared_ptr<RateGate> gate_;
  std::vector<RateGate::Count> counts_;
  bool generates_;
  double used_ = -1;  // not known yet
};

std::shared_ptr<StreamSink> LimitedExchange::StartSse(StreamOptions options) {
  size_t taken = 0;
  while (taken < counts_.size() &&
         gate_->LimiterOf(counts_[taken].by_key).TakeStream(counts_[taken].caller)) {
    ++taken;
  }
  // Once: when the stream ends, or when none began.
  const auto give_back = [gate = gate_, counts = counts_, number = taken,
                          given = std::make_shared<std::atomic<bool>>(false)] {
    if (given->exchange(true)) return;
    for (size_t i = 0; i < number; ++i) {
      gate->LimiterOf(counts[i].by_key).GiveStream(counts[i].caller);
    }
  };
  if (taken < counts_.size()) {
    give_back();
    used_ = 0;
    RateGate::Count refused = counts_[taken];
    refused.state.exceeded = Limit::kStreams;
    refused.state.retry_seconds = 1;
    gate_->Refuse(refused, inner(), counts_, generates_);
    return nullptr;
  }
  AppendHeaders(options.headers);
  options.on_end = [give_back, inner = std::move(options.on_end)](StreamEnd end) {
    give_back();
    if (inner) inner(end);
  };
  auto sink = inner().StartSse(std::move(options));
  if (sink == nullptr) give_back();
  return sink;
}

RateGate::RateGate(RateGateOptions options, const RateLimiter::Clock& clock)
    : options_(std::move(options)),
      addresses_(options_.per_address, clock),
      keys_(options_.per_key, clock) {}

std::vector<RateGate::Count> RateGate::CallersOf(const Route& route, const Grant& grant,
                                                 const Exchange& exchange) const {
  const bool is_open = route.access == Access::kOpen || route.access == Access::kMonitor;
  if (is_open && !(route.counts_readers && exchange.may_read())) return {};
  if (grant.key_kind == KeyKind::kAdmin) return {};
  std::vector<Count> counts;
  if (grant.key_kind) counts.push_back({.by_key = true, .caller = grant.key_id});
  if (grant.key_kind == KeyKind::kServer) return counts;
  std::string address = ClientAddressOf(exchange.request(), options_.trusted_proxies);
  if (!address.empty()) counts.push_back({.by_key = false, .caller = std::move(address)});
  return counts;
}

bool RateGate::Admit(const Route& route, const Grant& grant, std::shared_ptr<Exchange>& exchange) {
  std::vector<Count> counts = CallersOf(route, grant, *exchange);
  if (counts.empty()) return true;
  for (size_t i = 0; i < counts.size(); ++i) {
    Count& count = counts[i];
    RateLimiter& limiter = LimiterOf(count.by_key);
    count.state = limiter.Admit(count.caller, route.generates ? kReservedTokens : 0);
    if (count.state.exceeded == Limit::kNone) continue;
    for (size_t before = 0; route.generates && before < i; ++before) {
      LimiterOf(counts[before].by_key).Settle(counts[before].caller, kReservedTokens, 0);
    }
    const Count refused = count;
    counts.resize(i + 1);
    Refuse(refused, *exchange, counts, route.generates);
    return false;
  }
  exchange = std::make_shared<LimitedExchange>(std::move(exchange), shared_from_this(),
                                               std::move(counts), route.generates);
  return true;
}

bool RateGate::Reserve(std::vector<Count>& counts, Exchange& exchange) {
  for (size_t i = 0; i < counts.size(); ++i) {
    Count& count = counts[i];
    count.state = LimiterOf(count.by_key).Reserve(count.caller, kReservedTokens);
    if (count.state.exceeded == Limit::kNone) continue;
    for (size_t before = 0; before < i; ++before) {
      LimiterOf(counts[before].by_key).Settle(counts[before].caller, kReservedTokens, 0);
    }
    Refuse(count, exchange, counts, /*generates=*/true);
    return false;
  }
  return true;
}

void RateGate::Refuse(const Count& count, Exchange& exchange, const std::vector<Count>& counts,
                      bool generates) {
  refused_[count.by_key ? 1 : 0][static_cast<size_t>(count.state.exceeded)].fetch_add(
      1, std::memory_order_relaxed);
  const auto seconds =
      std::max<int64_t>(1, static_cast<int64_t>(std::ceil(count.state.retry_seconds)));
  const std::string_view what = count.state.exceeded == Limit::kRequests ? "requests"
                                : count.state.exceeded == Limit::kTokens ? "generated text"
                                                                         : "open streams";
  Response response = MakeErrorResponse(429, "rate_limited",
                                        fmt::format("too many {} from this {}: wait {} s", what,
                                                    count.by_key ? "key" : "address", seconds),
                                        "", exchange.request().id);
  for (auto& [name, value] : response.headers) {
    if (name == "Retry-After") value = std::to_string(seconds);
  }
  const Headers headers = LimitedExchange::HeadersOf(*this, counts, generates);
  response.headers.insert(response.headers.end(), headers.begin(), headers.end());
  exchange.Respond(std::move(response));
}

uint64_t RateGate::refused(Limit limit, bool by_key) const {
  return refused_[by_key ? 1 : 0][static_cast<size_t>(limit)].load(std::memory_order_relaxed);
}

}  // namespace emptor::services
