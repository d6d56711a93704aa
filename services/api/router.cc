// Finds the route of a request.
#include "services/api/router.h"

#include <utility>

#include "services/api/api_errors.h"

namespace emptor::services {

Router::Router(std::vector<Route> routes, Observer observer)
    : routes_(std::move(routes)), observer_(std::move(observer)) {}

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

void Router::operator()(std::shared_ptr<Exchange> exchange) const {
  const Request& request = exchange->request();
  std::string allowed;
  for (const Route& route : routes_) {
    std::string_view tail;
    if (!MatchesPattern(route.pattern, request.path, &tail)) continue;
    if (!TakesMethod(route, request.method)) {
      if (!allowed.empty()) allowed += ", ";
      allowed += route.method == "GET" ? "GET, HEAD" : route.method;
      continue;
    }
    const std::string segment(tail);
    if (observer_) exchange = observer_(route.pattern, std::move(exchange));
    return route.handle(std::move(exchange), segment);
  }
  if (observer_) exchange = observer_("none", std::move(exchange));
  const std::string& id = exchange->request().id;
  if (allowed.empty()) {
    return exchange->Respond(MakeErrorResponse(404, "not_found", "no such route", "", id));
  }
  Response response = MakeErrorResponse(405, "method_not_allowed", "use " + allowed, "", id);
  response.headers.emplace_back("Allow", allowed);
  exchange->Respond(std::move(response));
}

}  // namespace emptor::services
