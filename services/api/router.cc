// Finds the route of a request.
#include "services/api/router.h"

#include <cassert>
#include <utility>

#include "services/api/api_errors.h"

namespace emptor::services {

Router::Router(std::vector<Route> routes, std::shared_ptr<const AccessGate> gate, Observer observer,
               Dispatch dispatch)
    : routes_(std::move(routes)),
      gate_(std::move(gate)),
      observer_(std::move(observer)),
      dispatch_(std::move(dispatch)) {
  assert(gate_ != nullptr);
}

bool MatchesPattern(std::string_view pattern, std::string_view path, std::string_view* tail) {
  *tail = {};
  if (path.size() > 1 && path.back() == '/' && pattern.back() != '/') path.remove_suffix(1);
  const size_t brace = pattern.find('{');
  if (brace == std::string_view::npos) return pattern == path;
  if (path.substr(0, brace) != pattern.substr(0, brace)) return false;
  const std::string_view rest = pattern.substr(pattern.find('}', brace) + 1);
  if (path.size() < brace + rest.size() || path.substr(path.size() - rest.size()) != rest) {
    return false;
  }
  *tail = path.substr(brace, path.size() - rest.size() - brace);
  return !tail->empty() && tail->find('/') == std::string_view::npos;
}

BodyLimits::BodyLimits(const std::vector<Route>& routes) {
  for (const Route& route : routes) {
    if (route.max_body_bytes <= kSmallBody) continue;
    rows_.push_back({route.method, route.pattern, route.max_body_bytes});
  }
}

size_t BodyLimits::operator()(std::string_view method, std::string_view path) const {
  std::string_view tail;
  for (const Row& row : rows_) {
    if (row.method == method && MatchesPattern(row.pattern, path, &tail)) return row.max_bytes;
  }
  return kSmallBody;
}

namespace {

/// HEAD is answered by the route of GET; the exchange leaves the body out (RFC 9110 section 9.3.2).
bool TakesMethod(const Route& route, std::string_view method) {
  return route.method == method || (method == "HEAD" && route.method == "GET");
}

}  // namespace

void Router::Handle(size_t route, std::shared_ptr<Exchange> exchange, std::string_view tail) const {
  const std::string segment(tail);  // of the request, which the exchange may give up
  if (observer_) exchange = observer_(routes_[route].pattern, std::move(exchange));
  if (routes_[route].wrap != nullptr) exchange = routes_[route].wrap(std::move(exchange));
  const auto grant = gate_->Admit(routes_[route].access, exchange);
  if (!grant) return;
  if (dispatch_) return dispatch_(route, *grant, std::move(exchange), segment);
  routes_[route].handle(std::move(exchange), segment);
}

/// True when the exchange was such a question, and is answered.
bool Router::AnswerPreflight(const std::shared_ptr<Exchange>& exchange) const {
  const Request& request = exchange->request();
  const std::string_view method = request.Header("access-control-request-method");
  if (request.method != "OPTIONS" || method.empty()) return false;
  std::string_view tail;
  for (const Route& route : routes_) {
    if (!MatchesPattern(route.pattern, request.path, &tail) || !TakesMethod(route, method)) {
      continue;
    }
    gate_->AnswerPreflight(route.access, *exchange);
    return true;
  }
  return false;
}

void Router::operator()(std::shared_ptr<Exchange> exchange) const {
  const Request& request = exchange->request();
  std::string allowed;
  for (size_t i = 0; i < routes_.size(); ++i) {
    const Route& route = routes_[i];
    std::string_view tail;
    if (!MatchesPattern(route.pattern, request.path, &tail)) continue;
    if (TakesMethod(route, request.method)) return Handle(i, std::move(exchange), tail);
    if (!allowed.empty()) allowed += ", ";
    allowed += route.method == "GET" ? "GET, HEAD" : route.method;
  }
  if (observer_) exchange = observer_("none", std::move(exchange));
  if (AnswerPreflight(exchange)) return;
  const std::string& id = exchange->request().id;
  if (allowed.empty()) {
    return exchange->Respond(MakeErrorResponse(404, "not_found", "no such route", "", id));
  }
  Response response = MakeErrorResponse(405, "method_not_allowed", "use " + allowed, "", id);
  response.headers.emplace_back("Allow", allowed);
  exchange->Respond(std::move(response));
}

}  // namespace emptor::services
