// How a server ends.
#include "services/http/drain.h"

#include <algorithm>
#include <utility>

#include "services/http/server_context.h"
#include "services/http/socket_exchange.h"

namespace emptor::services {
namespace {

/// For the last bytes of answers that the drain has ended.
constexpr std::chrono::milliseconds kLastBytes{2000};

}  // namespace

void InFlightRequests::Add(const void* key, std::weak_ptr<SocketExchange> exchange) {
  const std::lock_guard lock(mutex_);
  requests_.emplace(key, std::move(exchange));
}

void InFlightRequests::Remove(const void* key) {
  const std::lock_guard lock(mutex_);
  if (requests_.erase(key) > 0 && requests_.empty()) none_.notify_all();
}

size_t InFlightRequests::count() const {
  const std::lock_guard lock(mutex_);
  return requests_.size();
}

bool InFlightRequests::WaitForNone(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(mutex_);
  return none_.wait_for(lock, timeout, [&] { return requests_.empty(); });
}

std::vector<std::shared_ptr<SocketExchange>> InFlightRequests::Exchanges() const {
  std::vector<std::shared_ptr<SocketExchange>> exchanges;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, weak] : requests_) {
    if (auto exchange = weak.lock()) exchanges.push_back(std::move(exchange));
  }
  return exchanges;
}

void RefuseNew(ServerContext& context) {
  if (context.draining.exchange(true)) return;
  context.running_at_drain = context.in_flight.count();
}

DrainReport Drain(ServerContext& context, std::chrono::milliseconds grace) {
  RefuseNew(context);
  const size_t running = context.running_at_drain;
  if (context.in_flight.WaitForNone(grace)) return {.finished = running};
  const uint64_t cut_before = context.hub->stats().shutdown;
  context.hub->StartDrain();
  size_t cut = 0;
  for (const auto& exchange : context.in_flight.Exchanges()) cut += exchange->CutOff();
  context.in_flight.WaitForNone(kLastBytes);
  // An answer whose client did not read its end in time is still in flight and counts as cut.
  cut += context.hub->stats().shutdown - cut_before + context.in_flight.count();
  return {.finished = running - std::min(running, cut), .cut = cut};
}

}  // namespace emptor::services
