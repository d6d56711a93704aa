// The routes of a port.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/api/access_gate.h"
#include "services/auth/access.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// Sizes of request bodies: of a question or a command, of one record or a page of rules, and of
/// what the server takes at most (HttpServerOptions::max_body_bytes), such as feeds.
inline constexpr size_t kSmallBody = 64u << 10;
inline constexpr size_t kRecordBody = 1u << 20;
inline constexpr size_t kLargestBody = SIZE_MAX;

/// One route. It cannot be made without saying who may call it.
struct Route {
  /// `tail` is the segment that stands for {id}, or empty.
  using Handle = std::function<void(std::shared_ptr<Exchange>, std::string_view tail)>;

  Route(std::string with_method, std::string with_pattern, Access of, Handle with_handle,
        size_t max_body = kSmallBody)
      : method(std::move(with_method)),
        pattern(std::move(with_pattern)),
        access(of),
        handle(std::move(with_handle)),
        max_body_bytes(max_body) {}

  std::string method;   // "GET"
  std::string pattern;  // "/v1/search", or with one open segment: "/p/{id}", "/models/{name}/load"
  Access access;
  Handle handle;
  size_t max_body_bytes;
  bool generates = false;       // a language model may answer it: its tokens are limited
  bool counts_readers = false;  // of Access::kOpen: who may read gets a record, and is limited
  /// For which the answer to a request with an Idempotency-Key is kept; 0: the key has no effect.
  std::chrono::seconds replay_time{0};
  /// Put around each exchange before the gate, where refusals have another form than the API's
  /// errors. Null: they have not.
  std::shared_ptr<Exchange> (*wrap)(std::shared_ptr<Exchange>) = nullptr;
};

/// The route with `generates` set.
inline Route Generating(Route route) {
  route.generates = true;
  return route;
}

/// The route with `counts_readers` set.
inline Route CountingReaders(Route route) {
  route.counts_readers = true;
  return route;
}

/// The route with `replay_time` set: a request that was done may be sent again. Long enough for a
/// client that was cut off for a day; answers that hold a shopper's words are kept as briefly as
/// those that are taken up again.
inline constexpr std::chrono::seconds kReplayTime{24 * 3600}, kReplayTimeOfAnswers{60};
inline Route Replayed(Route route, std::chrono::seconds time = kReplayTime) {
  route.replay_time = time;
  return route;
}

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

/// Finds the route of a request and lets it pass by its access; answers 404, 405, what the gate
/// refuses, and the questions of browsers before a request of another origin (CORS preflight)
/// itself, in the shape of the API. HEAD goes to the route of GET. Nothing reaches a handler but
/// through here.
/// Thread-safety: const after construction.
class Router {
 public:
  /// `on_request(pattern, exchange)` is called before the gate; may be empty. It may wrap the
  /// exchange.
  using Observer = std::function<std::shared_ptr<Exchange>(const std::string& pattern,
                                                           std::shared_ptr<Exchange>)>;
  /// Handles a request that may pass. `route` counts in the order of the routes.
  using Dispatch = std::function<void(size_t route, const Grant& grant, std::shared_ptr<Exchange>,
                                      std::string_view tail)>;
  /// `dispatch` empty: the route's own handler. REQUIRES: `gate` is not null.
  Router(std::vector<Route> routes, std::shared_ptr<const AccessGate> gate, Observer observer,
         Dispatch dispatch = nullptr);

  void operator()(std::shared_ptr<Exchange> exchange) const;
  const std::vector<Route>& routes() const { return routes_; }

 private:
  void Handle(size_t route, std::shared_ptr<Exchange> exchange, std::string_view tail) const;
  bool AnswerPreflight(const std::shared_ptr<Exchange>& exchange) const;

  std::vector<Route> routes_;
  std::shared_ptr<const AccessGate> gate_;
  Observer observer_;
  Dispatch dispatch_;
};

/// True when the path matches the pattern, with or without a slash at its end. `{id}` matches one
/// segment that is not empty; `*tail` is set to it.
bool MatchesPattern(std::string_view pattern, std::string_view path, std::string_view* tail);

}  // namespace emptor::services
