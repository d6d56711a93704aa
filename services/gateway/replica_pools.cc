// getaddrinfo, and who sits where.
#include "services/gateway/replica_pools.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <condition_variable>
#include <utility>

namespace emptor::services {

absl::StatusOr<std::vector<std::string>> ResolveHost(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  if (const int error = getaddrinfo(host.c_str(), nullptr, &hints, &list); error != 0) {
    return absl::UnavailableError(host + ": " + gai_strerror(error));
  }
  std::vector<std::string> addresses;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    char text[NI_MAXHOST];
    if (getnameinfo(one->ai_addr, one->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) !=
        0) {
      continue;
    }
    addresses.push_back(one->ai_family == AF_INET6 ? "[" + std::string(text) + "]" : text);
  }
  freeaddrinfo(list);
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

PoolPlan PlanPool(std::span<const PoolPlace> places, std::vector<std::string> found) {
  PoolPlan plan;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (size_t i = 0; i < places.size(); ++i) {
    const std::string& address = places[i].address;
    if (address.empty()) continue;
    const auto still = std::find(found.begin(), found.end(), address);
    if (still == found.end()) {
      plan.leaving.push_back(i);
    } else {
      found.erase(still);
    }
  }
  auto next = found.begin();
  for (size_t i = 0; i < places.size() && next != found.end(); ++i) {
    if (places[i].is_free) plan.joining.emplace_back(i, *next++);
  }
  plan.without_place = static_cast<size_t>(found.end() - next);
  return plan;
}

PoolWatcher::PoolWatcher(std::vector<ReplicaPool> pools, std::chrono::milliseconds interval,
                         HostResolver resolve, OnFound on_found)
    : pools_(std::move(pools)),
      interval_(interval),
      resolve_(std::move(resolve)),
      on_found_(std::move(on_found)) {
  for (size_t i = 0; i < pools_.size(); ++i) {
    threads_.emplace_back([this, i](const std::stop_token& stop) { Run(stop, i); });
  }
}

PoolWatcher::~PoolWatcher() { Stop(); }

void PoolWatcher::Stop() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void PoolWatcher::Run(const std::stop_token& stop, size_t pool) {
  std::mutex mutex;
  std::condition_variable_any changed;
  while (!stop.stop_requested()) {
    auto found = resolve_(pools_[pool].host);
    if (found.ok() && found->empty()) {
      found = absl::UnavailableError(pools_[pool].host + ": has no address");
    }
    if (!stop.stop_requested()) on_found_(pool, std::move(found));
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, interval_, [] { return false; });
  }
}

}  // namespace emptor::services
