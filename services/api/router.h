// Routes: the inventory of what a port answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/http/exchange.h"

namespace emptor::services {

struct Route {
  std::string method;   // "GET"
  std::string pattern;  // "/v1/search", or with one open segment: "/p/{id}", "/models/{name}/load"
  /// `tail` is the segment that stands for {id}, or empty.
  std::function<void(std::shared_ptr<Exchange>, std::string_view tail)> handle;
};

/// Finds the route of a request; answers 404 and 405 itself, in the shape of the API. HEAD goes to
/// the route of GET.
/// Thread-safety: const after construction.
class Router {
 public:
  /// `on_request(pattern, exchange)` is called before the handler; may be empty. It may wrap the
  /// exchange.
  using Observer = std::function<std::shared_ptr<Exchange>(const std::string& pattern,
                                                           std::shared_ptr<Exchange>)>;
  Router(std::vector<Route> routes, Observer observer);

  void operator()(std::shared_ptr<Exchange> exchange) const;
  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
  Observer observer_;
};

/// True when the path fits the pattern; `{id}` stands for one segment that is not empty, which is
/// then `*tail`.
bool MatchesPattern(std::string_view pattern, std::string_view path, std::string_view* tail);

}  // namespace emptor::services
