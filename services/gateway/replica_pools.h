// Replicas that are found by the name of a host: which of them are there, and at which addresses.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "services/gateway/gateway_config.h"

namespace emptor::services {

/// The addresses of a host: "10.0.0.1", "[fd00::1]". May block, and is called by several threads.
/// Errors: kUnavailable.
using HostResolver =
    std::function<absl::StatusOr<std::vector<std::string>>(const std::string& host)>;
/// By the system's resolver, each address once, of the families that this machine has addresses of.
absl::StatusOr<std::vector<std::string>> ResolveHost(const std::string& host);

/// A place of a pool and who is there now; an empty address: nobody.
struct PoolPlace {
  std::string address;
  bool is_free = false;  // nobody is there, and nothing of who was there runs on
};

struct PoolPlan {
  std::vector<size_t> leaving;                          // places
  std::vector<std::pair<size_t, std::string>> joining;  // place and address
  size_t without_place = 0;                             // addresses
};

/// Addresses that are still there keep their places, others leave, and new ones get the places that
/// are free. Pure.
PoolPlan PlanPool(std::span<const PoolPlace> places, std::vector<std::string> found);

/// Asks for the addresses of all pools, again and again, each pool on a thread of its own.
class PoolWatcher {
 public:
  using OnFound =
      std::function<void(size_t pool, absl::StatusOr<std::vector<std::string>> addresses)>;
  PoolWatcher(std::vector<ReplicaPool> pools, std::chrono::milliseconds interval,
              HostResolver resolve, OnFound on_found);
  ~PoolWatcher();  // as Stop
  /// Waits for calls of the resolver that have begun, and calls nothing from then on. Idempotent.
  void Stop();

 private:
  void Run(const std::stop_token& stop, size_t pool);

  const std::vector<ReplicaPool> pools_;
  const std::chrono::milliseconds interval_;
  const HostResolver resolve_;
  const OnFound on_found_;
  std::vector<std::jthread> threads_;
};

}  // namespace emptor::services
