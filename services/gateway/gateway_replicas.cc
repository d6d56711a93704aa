// Replicas that are probed, list their models, and come and go.
#include <utility>

#include "services/gateway/gateway_impl.h"
#include "services/observability/log.h"

namespace emptor::services {

using TimePoint = Dispatcher::TimePoint;

void Gateway::Impl::Probed(size_t place, const absl::Status& health) {
  if (stopping) return;
  bool was_healthy = false, is_healthy = false;
  Decide([&](Dispatcher& to, TimePoint now) {
    was_healthy = to.StatusOf(place, now).healthy;
    to.Probed(place, health.ok(), now);
    is_healthy = to.StatusOf(place, now).healthy;
    was_up = was_up || health.ok();
  });
  if (was_healthy == is_healthy) return;
  if (is_healthy) {
    return Log(LogLevel::kInfo, "replica_up",
               {{"replica", fleet.name(place)}, {"url", fleet.Where(place)}});
  }
  Log(LogLevel::kWarning, "replica_down",
      {{"replica", fleet.name(place)},
       {"url", fleet.Where(place, config.replicas[place].health_path)},
       {"what", fleet.Hide(place, std::string(health.message()))}});
}

/// Keeps what it listed before where the list cannot be read now, and says so once.
void Gateway::Impl::Listed(size_t place, absl::StatusOr<std::vector<std::string>> names) {
  if (stopping) return;
  const bool was_unreadable = unreadable[place];
  unreadable[place] = !names.ok();
  if (names.ok()) {
    if (!models.Set(place, *std::move(names))) return;
    return Decide([&](Dispatcher& to, TimePoint now) {
      UpdateServing(to);
      to.Tick(now);
    });
  }
  if (was_unreadable) return;
  Log(LogLevel::kWarning, "models_unreadable",
      {{"replica", fleet.name(place)},
       {"url", fleet.Where(place, "/v1/models")},
       {"what", fleet.Hide(place, std::string(names.status().message()))}});
}

/// Replicas that were found by name come and go. While the name cannot be resolved, they stay.
void Gateway::Impl::Resolved(size_t which, absl::StatusOr<std::vector<std::string>> addresses) {
  if (stopping) return;
  const ReplicaPool& pool = config.pools[which];
  const bool was_unresolved = unresolved[which];
  unresolved[which] = !addresses.ok();
  if (!addresses.ok()) {
    metrics.CountDnsFailure(pool.name);
    if (was_unresolved) return;
    return Log(LogLevel::kWarning, "dns_failed",
               {{"replica", pool.name}, {"what", std::string(addresses.status().message())}});
  }
  std::vector<PoolPlace> places(pool.count);
  for (size_t i = 0; i < places.size(); ++i) {
    const std::lock_guard lock(mutex);
    const ReplicaStatus status =
        dispatcher.StatusOf(pool.first + i, std::chrono::steady_clock::now());
    if (status.present) places[i].address = fleet.addresses[pool.first + i];
    places[i].is_free = !status.present && status.outstanding == 0;
  }
  const PoolPlan plan = PlanPool(places, *std::move(addresses));
  // In this order: requests may wait for who joins once the others have left.
  for (const auto& [i, address] : plan.joining) SeatAt(pool.first + i, address);
  for (const size_t i : plan.leaving) SeatAt(pool.first + i, "");
  const size_t before = std::exchange(without_place[which], plan.without_place);
  if (plan.without_place > 0 && plan.without_place != before) {
    Log(LogLevel::kWarning, "dns_too_many",
        {{"replica", pool.name}, {"left_out", static_cast<int64_t>(plan.without_place)}});
  }
}

/// A server of a pool takes a place, or leaves it: an empty address.
void Gateway::Impl::SeatAt(size_t place, const std::string& address) {
  const bool joins = !address.empty();
  Log(LogLevel::kInfo, joins ? "replica_joined" : "replica_left",
      {{"replica", fleet.name(place)}, {"address", joins ? address : fleet.addresses[place]}});
  if (joins) fleet.addresses[place] = address;  // else it is probed there until its requests end
  probes.Forget(place);
  models.Seat(place, joins);
  unreadable[place] = false;
  Decide([&](Dispatcher& to, TimePoint now) {
    UpdateServing(to);
    to.SetPresent(place, joins, now);
  });
}

/// Requests that have arrived already may go to a server that has come since, and not to one that
/// has come in place of another and serves something else.
void Gateway::Impl::UpdateServing(Dispatcher& to) const {
  to.SetServing([this](uint64_t request) {
    const auto found = calls.find(request);
    return found == calls.end() ? 0 : models.Serving(found->second->facts.model);
  });
}

}  // namespace emptor::services
