// The merge decision.
#include "retrieval/hybrid/merge_policy.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace emptor::retrieval {

size_t PlanMerge(const MergeLimits& limits, std::span<const size_t> live_counts, size_t dead) {
  assert(!live_counts.empty());
  const size_t immutable = live_counts[0];
  const size_t fresh = std::accumulate(live_counts.begin() + 1, live_counts.end(), size_t{0});
  const auto share = [&](size_t records) {
    return static_cast<size_t>(limits.fresh_share * static_cast<double>(records));
  };
  const size_t most_fresh = immutable == 0 ? limits.first_immutable_records
                                           : std::max(limits.min_fresh_records, share(immutable));
  if (fresh >= most_fresh) return 0;
  if (dead > std::max(limits.min_fresh_records, share(immutable + fresh))) return 0;

  size_t first = live_counts.size();
  size_t merged = 0;
  while (first > 1 && (first == live_counts.size() || live_counts[first - 1] <= 2 * merged)) {
    merged += live_counts[--first];
  }
  return first + 1 >= live_counts.size() ? live_counts.size() : first;
}

}  // namespace emptor::retrieval
