// Who asks with which key, and what becomes of it.
#include "services/api/idempotency_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "catalog/encoding/sha256.h"
#include "services/api/api_errors.h"
#include "services/api/object_reader.h"
#include "services/api/rate_gate.h"
#include "services/api/shopper.h"
#include "services/http/forwarding_exchange.h"

namespace emptor::services {
namespace {

using Outcome = IdempotencyStore::Outcome;

/// Of everything that decides what the request does.
IdempotencyStore::Fingerprint FingerprintOf(const Request& request) {
  catalog::Sha256 digest;
  const auto add = [&digest](std::string_view text) {
    const uint64_t size = text.size();
    digest.Update(&size, sizeof size);
    digest.Update(text.data(), text.size());
  };
  add(request.method);
  add(request.path);
  add(request.Header("content-type"));
  for (const auto& [name, value] : request.query) {
    add(name);
    add(value);
  }
  add(request.body);
  return digest.Finish();
}

bool IsEventStream(const StreamOptions& options) {
  return options.content_type == "text/event-stream";
}

Response Refusal(int status, std::string_view code, std::string_view message,
                 const Request& request) {
  return MakeErrorResponse(status, code, message, kIdempotencyHeader, request.id);
}

}  // namespace

/// Keeps the answer, or lets go of the key.
class IdempotentExchange final : public ForwardingExchange {
 public:
  IdempotentExchange(std::shared_ptr<Exchange> inner, std::shared_ptr<IdempotencyGate> gate,
                     std::string caller, std::string key, std::chrono::seconds time)
      : ForwardingExchange(std::move(inner)),
        gate_(std::move(gate)),
        caller_(std::move(caller)),
        key_(std::move(key)),
        time_(time) {}
  ~IdempotentExchange() override { Release(); }
  IdempotentExchange(const IdempotentExchange&) = delete;
  IdempotentExchange& operator=(const IdempotentExchange&) = delete;

  void Respond(Response response) override {
    if (response.status >= 200 && response.status < 300) {
      Keep(std::make_shared<const IdempotencyStore::Answer>(IdempotencyStore::Answer{
          response.status, response.content_type, response.body, response.headers}));
    } else {
      Release();
    }
    inner().Respond(std::move(response));
  }
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override {
    if (IsEventStream(options)) {
      Release();
    } else {
      Keep(nullptr);
    }
    return inner().StartSse(std::move(options));
  }

 private:
  void Keep(std::shared_ptr<const IdempotencyStore::Answer> answer) {
    if (!std::exchange(is_over_, true)) {
      gate_->store_.Keep(caller_, key_, std::move(answer), time_);
    }
  }
  void Release() {
    if (!std::exchange(is_over_, true)) gate_->store_.Release(caller_, key_);
  }

  const std::shared_ptr<IdempotencyGate> gate_;
  const std::string caller_, key_;
  const std::chrono::seconds time_;
  bool is_over_ = false;  // kept or let go of
};

absl::StatusOr<std::string> IdempotencyKeyOf(const Request& request) {
  const auto is_key = [](const auto& field) { return field.first == kIdempotencyHeader; };
  const auto& headers = request.headers;
  const auto count = std::count_if(headers.begin(), headers.end(), is_key);
  if (count == 0) return std::string();
  std::string_view key = request.Header(kIdempotencyHeader);
  const bool is_quoted = key.size() >= 2 && key.front() == '"' && key.back() == '"';
  if (is_quoted) key = key.substr(1, key.size() - 2);
  const bool is_good = count == 1 && !key.empty() && key.size() <= kMaxIdempotencyKeyBytes &&
                       std::all_of(key.begin(), key.end(), [](char c) {
                         return c > ' ' && c < 0x7F && c != '"' && c != '\\';
                       });
  if (is_good) return std::string(key);
  return InvalidField(kIdempotencyHeader,
                      fmt::format("expected one key of 1 to {} visible ASCII characters, such as a "
                                  "UUID that is made for this request",
                                  kMaxIdempotencyKeyBytes));
}

IdempotencyGate::IdempotencyGate(IdempotencyLimits limits, const IdempotencyStore::Clock& clock,
                                 std::vector<std::string> trusted_proxies)
    : store_(limits, clock), trusted_proxies_(std::move(trusted_proxies)) {}

std::string IdempotencyGate::CallerOf(const Grant& grant, const Request& request) const {
  std::string caller = grant.shop + "\n" + grant.key_id;
  if (grant.key_kind == KeyKind::kServer || grant.key_kind == KeyKind::kAdmin) return caller;
  const auto owner = OwnerOf(request, grant.shop);
  if (owner.ok() && !owner->empty()) return caller + "\nshopper " + *owner;
  return caller + "\n" + ClientAddressOf(request, trusted_proxies_);
}

void IdempotencyGate::Answer(const IdempotencyStore::Claimed& claimed, Exchange& exchange) const {
  const Request& request = exchange.request();
  exchange.CountTokens(0);
  switch (claimed.outcome) {
    case Outcome::kRunning: {
      Response response =
          Refusal(409, "idempotency_in_progress",
                  "the same request is under way: wait, and send it again", request);
      response.headers.emplace_back("Retry-After", "1");
      return exchange.Respond(std::move(response));
    }
    case Outcome::kOther:
      return exchange.Respond(Refusal(422, "idempotency_key_reused",
                                      "the key was sent with another request: make a key for each",
                                      request));
    case Outcome::kTooMany:
      return exchange.Respond(
          Refusal(429, "overloaded", "too many requests with keys are under way: wait", request));
    default:
      break;
  }
  if (claimed.answer == nullptr) {
    return exchange.Respond(Refusal(409, "idempotency_answer_gone",
                                    "the request was done; its answer was too large to be kept",
                                    request));
  }
  Response response{claimed.answer->status, claimed.answer->content_type, claimed.answer->body,
                    claimed.answer->headers};
  response.headers.emplace_back("Idempotency-Replayed", "true");
  exchange.Respond(std::move(response));
}

bool IdempotencyGate::Admit(const Route& route, const Grant& grant,
                            std::shared_ptr<Exchange>& exchange) {
  if (route.replay_time.count() == 0) return true;
  const Request& request = exchange->request();
  auto key = IdempotencyKeyOf(request);
  if (!key.ok()) {
    exchange->Respond(MakeErrorResponse(key.status(), request.id));
    return false;
  }
  if (key->empty()) return true;
  std::string caller = CallerOf(grant, request);
  const auto claimed = store_.Claim(caller, *key, FingerprintOf(request));
  answered_[static_cast<size_t>(claimed.outcome)].fetch_add(1, std::memory_order_relaxed);
  if (claimed.outcome != Outcome::kNew) {
    Answer(claimed, *exchange);
    return false;
  }
  exchange =
      std::make_shared<IdempotentExchange>(std::move(exchange), shared_from_this(),
                                           std::move(caller), *std::move(key), route.replay_time);
  return true;
}

uint64_t IdempotencyGate::answered(Outcome outcome) const {
  return answered_[static_cast<size_t>(outcome)].load(std::memory_order_relaxed);
}

}  // namespace emptor::services
