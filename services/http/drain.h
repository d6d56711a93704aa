// How a server ends: requests in flight may finish, late ones get an honest answer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "services/http/http_server.h"

namespace emptor::services {

class SocketExchange;
struct ServerContext;

/// The requests whose answer is not completely written. Thread-safety: any thread.
class InFlightRequests {
 public:
  /// `key` identifies the request until Remove.
  void Add(const void* key, std::weak_ptr<SocketExchange> exchange);
  /// Does nothing when `key` is unknown.
  void Remove(const void* key);
  size_t count() const;
  /// False when time is up.
  bool WaitForNone(std::chrono::milliseconds timeout) const;
  /// Those that can still be answered.
  std::vector<std::shared_ptr<SocketExchange>> Exchanges() const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable none_;
  std::unordered_map<const void*, std::weak_ptr<SocketExchange>> requests_;  // guarded by mutex_
};

/// Refuses new requests (503, Retry-After); those in flight go on. Idempotent.
void RefuseNew(ServerContext& context);

/// RefuseNew, then waits up to `grace` for those in flight and ends the rest: open streams with
/// their last words, unanswered requests with 503. Waits a moment until these are written.
/// REQUIRES: the server has started.
DrainReport Drain(ServerContext& context, std::chrono::milliseconds grace);

}  // namespace emptor::services
