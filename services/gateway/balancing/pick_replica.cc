// Groups, zones, affinity, load: in this order.
#include "services/gateway/balancing/pick_replica.h"

#include <algorithm>
#include <vector>

namespace emptor::services {
namespace {

using Places = std::vector<size_t>;

uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// A choice among the eligible ones.
class Chooser {
 public:
  Chooser(const PickPolicy& policy, const PickRequest& request,
          std::span<const ReplicaView> replicas)
      : policy_(policy), request_(request), replicas_(replicas) {}

  Places WithRoom() const {
    Places found;
    for (size_t i = 0; i < replicas_.size(); ++i) {
      if (Takes(i, Availability::kUp)) found.push_back(i);
    }
    return found;
  }

  std::optional<size_t> OnTrial() const {
    for (size_t i = 0; i < replicas_.size(); ++i) {
      if (Takes(i, Availability::kTrial)) return i;
    }
    return std::nullopt;
  }

  /// Those of one group, drawn by weight.
  Places OfGroup(const Places& places, std::span<const double> weights) const {
    double all = 0;
    std::vector<double> present(weights.size(), 0);
    for (const size_t i : places) {
      const auto group = static_cast<size_t>(replicas_[i].group);
      if (group < weights.size() && present[group] == 0) all += present[group] = weights[group];
    }
    if (all <= 0) return places;  // one group, or what is left of a split has no share
    double left = request_.random[0] * all;
    size_t group = 0;
    while (group + 1 < present.size() && (present[group] == 0 || left >= present[group])) {
      left -= present[group++];
    }
    Places chosen;
    for (const size_t i : places) {
      if (static_cast<size_t>(replicas_[i].group) == group) chosen.push_back(i);
    }
    return chosen.empty() ? places : chosen;
  }

  Places OfZone(const Places& places) const {
    Places near;
    for (const size_t i : places) {
      if (replicas_[i].same_zone) near.push_back(i);
    }
    if (near.empty() || near.size() == places.size()) return places;
    return IsWithin(policy_.zone_bound, LeastLoaded(near), places) ? near : places;
  }

  std::optional<size_t> ByAffinity(const Places& places) const {
    if (!policy_.affinity) return std::nullopt;
    const std::optional<size_t> held = ByPrefix(places);
    const std::optional<size_t> chosen = held ? held : BySession(places);
    if (chosen && IsWithin(policy_.balance_bound, *chosen, places)) return chosen;
    return std::nullopt;
  }

  /// Of several that are equal, another one each turn.
  size_t LeastLoaded(Places places) const {
    std::rotate(places.begin(),
                places.begin() + static_cast<std::ptrdiff_t>(request_.turn % places.size()),
                places.end());
    return *std::min_element(places.begin(), places.end(),
                             [this](size_t a, size_t b) { return LoadWith(a) < LoadWith(b); });
  }

  /// Of some that are drawn, or of all.
  size_t ByLoad(const Places& places) const {
    const size_t n = places.size();
    if (policy_.choices != 2 || n <= 2) return LeastLoaded(places);
    const auto first = std::min(n - 1, static_cast<size_t>(request_.random[1] * double(n)));
    auto second = std::min(n - 2, static_cast<size_t>(request_.random[2] * double(n - 1)));
    if (second >= first) ++second;
    return LeastLoaded({places[first], places[second]});
  }

 private:
  bool Takes(size_t i, Availability availability) const {
    const ReplicaView& one = replicas_[i];
    return !one.excluded && one.availability == availability &&
           one.outstanding < one.max_outstanding;
  }

  /// The load of a replica if it got the request.
  double LoadWith(size_t i) const {
    const ReplicaView& one = replicas_[i];
    return (one.outstanding_cost + CostOn(request_, one)) / one.capacity;
  }

  bool IsWithin(double bound, size_t i, const Places& places) const {
    double cost = 0, capacity = 0;
    for (const size_t other : places) {
      cost += replicas_[other].outstanding_cost;
      capacity += replicas_[other].capacity;
    }
    const double own = request_.prompt_tokens + request_.expected_tokens;
    const ReplicaView& one = replicas_[i];
    return one.outstanding_cost <= bound * one.capacity * cost / capacity + own;
  }

  /// The one that holds most of the prompt, the least loaded of several.
  std::optional<size_t> ByPrefix(const Places& places) const {
    std::optional<size_t> best;
    for (const size_t i : places) {
      const double cached = replicas_[i].cached_tokens;
      if (cached <= 0) continue;
      const double most = best ? replicas_[*best].cached_tokens : 0;
      if (cached > most || (cached == most && LoadWith(i) < LoadWith(*best))) best = i;
    }
    return best;
  }

  /// Rendezvous hashing: a replica that leaves moves its own sessions only.
  /// Source: Thaler and Ravishankar 1998, "Using name-based mappings to increase hit rates".
  std::optional<size_t> BySession(const Places& places) const {
    if (request_.session == 0) return std::nullopt;
    return *std::max_element(places.begin(), places.end(), [this](size_t a, size_t b) {
      return Mix(request_.session ^ Mix(a + 1)) < Mix(request_.session ^ Mix(b + 1));
    });
  }

  const PickPolicy& policy_;
  const PickRequest& request_;
  const std::span<const ReplicaView> replicas_;
};

}  // namespace

double CostOn(const PickRequest& request, const ReplicaView& replica) {
  return std::max(0.0, request.prompt_tokens - replica.cached_tokens) + request.expected_tokens;
}

std::optional<size_t> PickReplica(const PickPolicy& policy, const PickRequest& request,
                                  std::span<const ReplicaView> replicas,
                                  std::span<const double> group_weights) {
  const Chooser chooser(policy, request, replicas);
  if (const auto on_trial = chooser.OnTrial()) return on_trial;
  const Places with_room = chooser.WithRoom();
  if (with_room.empty()) return std::nullopt;
  const Places places = chooser.OfZone(chooser.OfGroup(with_room, group_weights));
  if (policy.balancing == Balancing::kRoundRobin) return places[request.turn % places.size()];
  if (const auto near = chooser.ByAffinity(places)) return near;
  return chooser.ByLoad(places);
}

}  // namespace emptor::services
