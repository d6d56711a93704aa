// The routes of a port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/http/exchange.h"

namespace emptor::services {

/// Sizes of request bodies: of a question or a command, of one record or a page of rules, and of
/// what the server takes at most (HttpServerOptions::max_body_bytes), such as feeds.
inline constexpr size_t kSmallBody = 64u << 10;
inline constexpr size_t kRecordBody = 1u << 20;
inline constexpr size_t kLargestBody = SIZE_MAX;

struct Route {
  std::string method;   // "GET"
  std::string pattern;  // "/v1/search", or with one open segment: "/p/{id}", "/models/{name}/load"
  /// `tail` is the segment that stands for {id}, or empty.
  std::function<void(std::shared_ptr<Exchange>, std::string_view tail)> handle;
  size_t max_body_bytes = kSmallBody;
};

/// The largest body of each of some routes; kSmallBody where no route fits. For
/// HttpServerOptions::body_limit. Immutable.
class BodyLimits {
 public:
  explicit BodyLimits(const std::vector<Route>& routes);
  size_t operator()(std::string_view method, std::string_view path) const;

 private:
  struct Row {
    std::string method, pattern;
    size_t max_bytes;
  };
  std::vector<Row> rows_;  // those that take more than kSmallBody
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

/// True when the path matches the pattern, with or without a slash at its end. `{id}` matches one
/// segment that is not empty; `*tail` is set to it.
bool MatchesPattern(std::string_view pattern, std::string_view path, std::string_view* tail);

}  // namespace emptor::services
