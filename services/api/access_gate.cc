// Facts of a request, refusals, headers of CORS, and entries of the audit log.
#include "services/api/access_gate.h"

#include <spdlog/spdlog.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/api/api_errors.h"
#include "services/auth/web_origin.h"
#include "services/http/forwarding_exchange.h"

namespace emptor::services {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// How long a browser need not ask again, in seconds. A key that is revoked meanwhile is refused
/// all the same: only the question is spared.
constexpr const char* kPreflightSeconds = "600";

int CountOf(const Request& request, std::string_view name) {
  int count = 0;
  for (const auto& [field, value] : request.headers) count += field == name;
  return count;
}

RequestFacts FactsOf(Access access, const Request& request) {
  RequestFacts facts;
  facts.access = access;
  facts.changes_state = request.method != "GET" && request.method != "HEAD";
  facts.has_body = !request.body.empty();
  if (CountOf(request, "host") > 0) facts.host = request.Header("host");
  facts.origin = request.Header("origin");
  facts.fetch_site = request.Header("sec-fetch-site");
  // A repeated field could be read in two ways: it is no type at all.
  if (CountOf(request, "content-type") == 1) facts.content_type = request.Header("content-type");
  facts.shop = request.Header("x-emptor-shop");
  facts.remote = request.remote;
  return facts;
}

Headers CorsHeaders(const std::string& origin) {
  return {{"Access-Control-Allow-Origin", origin},
          {"Access-Control-Expose-Headers",
           "ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"},
          {"Vary", "Origin"}};
}

/// Adds headers to the answer, and reports its status once.
class AdmittedExchange final : public ForwardingExchange {
 public:
  using OnAnswer = std::function<void(int status, std::string_view subject)>;
  AdmittedExchange(std::shared_ptr<Exchange> inner, Headers headers, OnAnswer on_answer)
      : ForwardingExchange(std::move(inner)),
        headers_(std::move(headers)),
        on_answer_(std::move(on_answer)) {}
  ~AdmittedExchange() override { Report(500, ""); }  // as the inner exchange answers then
  AdmittedExchange(const AdmittedExchange&) = delete;
  AdmittedExchange& operator=(const AdmittedExchange&) = delete;

  void Respond(Response response) override {
    Report(response.status, SubjectOf(response));
    response.headers.insert(response.headers.end(), headers_.begin(), headers_.end());
    inner().Respond(std::move(response));
  }
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override {
    Report(200, "");
    options.headers.insert(options.headers.end(), headers_.begin(), headers_.end());
    return inner().StartSse(std::move(options));
  }

 private:
  static std::string SubjectOf(const Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == kKeyIdHeader) return value;
    }
    return {};
  }
  void Report(int status, std::string_view subject) {
    if (const OnAnswer report = std::exchange(on_answer_, nullptr)) report(status, subject);
  }

  const Headers headers_;
  OnAnswer on_answer_;
};

/// Of a caller who may read records.
class ReadingExchange final : public ForwardingExchange {
 public:
  using ForwardingExchange::ForwardingExchange;
  bool may_read() const override { return true; }
};

/// Writes the change to the log before its answer is sent.
AdmittedExchange::OnAnswer Recorder(AuditLog& audit, const Request& request,
                                    const std::string& key_id) {
  std::string action = request.method + " " + request.path;
  for (const auto& [name, value] : request.query) {
    action += (action.find('?') == std::string::npos ? "?" : "&") + name + "=" + value;
  }
  return [&audit, key_id, action, remote = request.remote, id = request.id](
             int status, std::string_view subject) {
    const absl::Status written = audit.Append({key_id, action, subject, status, remote, id});
    if (!written.ok()) spdlog::error("audit log: {}", written.ToString());
  };
}

}  // namespace

AccessGate::AccessGate(AccessPolicy policy, const KeyStore& keys, AuditLog* audit)
    : policy_(std::move(policy)), keys_(keys), audit_(audit) {}

void AccessGate::Refuse(const AccessRefusal& refusal, Exchange& exchange) const {
  refused_[static_cast<size_t>(refusal.reason)].fetch_add(1, std::memory_order_relaxed);
  Response response = MakeErrorResponse(refusal.status, refusal.code, refusal.message,
                                        FieldOf(refusal.reason), exchange.request().id);
  if (refusal.status == 401) {
    response.headers.emplace_back("WWW-Authenticate",
                                  refusal.reason == RefusalReason::kUnknownKey
                                      ? "Bearer realm=\"emptor\", error=\"invalid_token\""
                                      : "Bearer realm=\"emptor\"");
  }
  exchange.Respond(std::move(response));
}

std::optional<Grant> AccessGate::Admit(Access access, std::shared_ptr<Exchange>& exchange) const {
  const Request& request = exchange->request();
  RequestFacts facts = FactsOf(access, request);
  std::optional<Principal> principal;
  const int authorizations = CountOf(request, "authorization");
  if (authorizations > 1) {
    facts.credential = Credential::kRepeated;
  } else if (const auto key = BearerOf(request.Header("authorization"))) {
    principal = keys_.Authenticate(*key);
    facts.credential = principal ? Credential::kKnown : Credential::kUnknown;
  }
  facts.has_issued_keys = keys_.HasEverIssued();
  Decision decision = Decide(policy_, principal ? &*principal : nullptr, facts);
  if (decision.refusal) {
    Refuse(*decision.refusal, *exchange);
    return std::nullopt;
  }
  Grant& grant = decision.grant;
  facts.access = Access::kAsk;
  if (access == Access::kOpen &&
      !Decide(policy_, principal ? &*principal : nullptr, facts).refusal) {
    exchange = std::make_shared<ReadingExchange>(std::move(exchange));
  }
  const bool is_recorded = audit_ != nullptr && access == Access::kAdmin && facts.changes_state;
  if (is_recorded || !grant.cors_origin.empty()) {
    Headers headers = grant.cors_origin.empty() ? Headers() : CorsHeaders(grant.cors_origin);
    auto record = is_recorded ? Recorder(*audit_, request, grant.key_id) : nullptr;
    exchange = std::make_shared<AdmittedExchange>(std::move(exchange), std::move(headers),
                                                  std::move(record));
  }
  return grant;
}

void AccessGate::AnswerPreflight(Access access, Exchange& exchange) const {
  const Request& request = exchange.request();
  const RequestFacts facts = FactsOf(access, request);
  if (const auto refusal = CheckHost(policy_, facts)) return Refuse(*refusal, exchange);
  const auto origin = NormalOrigin(facts.origin);
  if (!origin || !Covers(KeyKind::kBrowser, access) || !keys_.HasOrigin(*origin)) {
    return Refuse({RefusalReason::kOrigin, 403, "foreign_origin",
                   "no browser key lists this origin: issue one with `emptor key issue browser "
                   "--origin`"},
                  exchange);
  }
  Response response;
  response.status = 204;
  response.content_type = "";
  response.headers = CorsHeaders(std::string(facts.origin));
  response.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE");
  response.headers.emplace_back(
      "Access-Control-Allow-Headers",
      "Authorization, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
      "Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Traceparent, Tracestate, "
      "X-Emptor-Shop, X-Emptor-Shopper, X-Vercel-AI-UI-Message-Stream");
  response.headers.emplace_back("Access-Control-Max-Age", kPreflightSeconds);
  exchange.Respond(std::move(response));
}

uint64_t AccessGate::refused(RefusalReason reason) const {
  return refused_[static_cast<size_t>(reason)].load(std::memory_order_relaxed);
}

}  // namespace emptor::services
