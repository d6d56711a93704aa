// The merge decisions.
#include "retrieval/segment/merge_policy.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace emptor::retrieval {

bool NeedsFullCompaction(const MergeLimits& limits, const SegmentSizes& sizes) {
  assert(!sizes.live.empty());
  const size_t immutable = sizes.live[0];
  const size_t fresh = std::accumulate(sizes.live.begin() + 1, sizes.live.end(), size_t{0});
  const auto share = [&](size_t records) {
    return static_cast<size_t>(limits.fresh_share * static_cast<double>(records));
  };
  const size_t most_fresh = immutable == 0 ? limits.first_immutable_records
                                           : std::max(limits.min_fresh_records, share(immutable));
  return fresh >= most_fresh ||
         sizes.dead > std::max(limits.min_fresh_records, share(immutable + fresh));
}

size_t PlanMinorCompaction(std::span<const size_t> fresh) {
  size_t first = fresh.size();
  size_t merged = 0;
  while (first > 0 && (first == fresh.size() || fresh[first - 1] <= 2 * merged)) {
    merged += fresh[--first];
  }
  return first + 1 >= fresh.size() ? fresh.size() : first;
}

}  // namespace emptor::retrieval
