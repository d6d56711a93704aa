// Which replica of a fleet gets the next request: a pure choice over a snapshot.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace emptor::services {

enum class Availability {
  kUp,
  kTrial,  // one request may find out whether it is back
  kDown,
};

/// What a choice sees of a replica.
struct ReplicaView {
  Availability availability = Availability::kUp;
  bool excluded = false;  // tried by this request, or serves other models
  int group = 0;          // of a canary split
  bool same_zone = true;
  double capacity = 1;                        // relative speed: load is divided by it
  int outstanding = 0, max_outstanding = 64;  // requests
  double outstanding_cost = 0;                // tokens that are still to be computed
  double cached_tokens = 0;                   // of this prompt, computed there before
};

enum class Balancing { kLeastOutstanding, kRoundRobin };

struct PickPolicy {
  Balancing balancing = Balancing::kLeastOutstanding;
  /// How many replicas are drawn and compared (power of two choices); 0: all.
  /// Source: Mitzenmacher 2001, "The power of two choices in randomized load balancing".
  int choices = 0;
  bool affinity = true;  // to the replica that holds the prompt's prefix or the session
  /// A replica is kept by affinity while its load is at most this many times the mean load, plus
  /// the request itself. Source: Mirrokni, Thorup and Zadimoghaddam 2018, "Consistent hashing with
  /// bounded loads".
  double balance_bound = 1.25;
  /// Other zones are used once the least loaded replica of this zone is this many times as loaded
  /// as the mean, plus the request itself.
  double zone_bound = 1.5;
};

struct PickRequest {
  double prompt_tokens = 0, expected_tokens = 0;
  uint64_t session = 0;  // its requests go to one replica where nothing else decides; 0: none
  uint64_t turn = 0;     // of round robin, and among equals
  std::array<double, 3> random = {};  // evenly in [0, 1): of the group, and of two choices
};

/// The tokens that a replica computes for the request, of which it holds some already.
double CostOn(const PickRequest& request, const ReplicaView& replica);

/// The replica that gets the request; nothing: none may take it now. A replica on trial comes
/// first. Otherwise a group is drawn by its weight among those with a replica that has room; then
/// this zone is preferred; then affinity, within its bound; then the least outstanding cost,
/// weighted by capacity. Pure: equal inputs give equal choices.
std::optional<size_t> PickReplica(const PickPolicy& policy, const PickRequest& request,
                                  std::span<const ReplicaView> replicas,
                                  std::span<const double> group_weights);

}  // namespace emptor::services
