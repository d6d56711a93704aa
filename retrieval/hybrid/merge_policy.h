// When segments are merged: a pure decision over their sizes.
#pragma once

#include <cstddef>
#include <span>

namespace emptor::retrieval {

/// Bounds of what a search may have to scan outside the immutable part.
struct MergeLimits {
  /// The fresh segments are folded into the immutable part when they hold more than this...
  size_t min_fresh_records = 5000;
  /// ... and more than this share of it. The same bounds hold for tombstones.
  double fresh_share = 0.25;
  /// Stands for min_fresh_records while the immutable part is empty.
  size_t first_immutable_records = 1000;
};

/// `live_counts[0]` is the immutable part, the others are fresh segments, oldest first; `dead`
/// counts the tombstones of all. Returns the first segment to merge: that one and all behind it
/// become one. 0: everything; live_counts.size(): nothing. Fresh segments are kept geometric in
/// size, so there are at most log2 of their records of them, and each record is merged as often.
size_t PlanMerge(const MergeLimits& limits, std::span<const size_t> live_counts, size_t dead);

}  // namespace emptor::retrieval
