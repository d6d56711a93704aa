// When segments are merged: a pure decision over their sizes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

/// Records of the segments: live[0] is the immutable part, the others are fresh, oldest first;
/// `dead` counts the tombstones of all.
struct SegmentSizes {
  std::vector<size_t> live;
  size_t dead = 0;
};

/// Whether everything should become one immutable part.
bool ShouldFold(const MergeLimits& limits, const SegmentSizes& sizes);

/// Which fresh segments should become one: the first of them, that one and all behind it; the
/// number of segments where none should. They are kept geometric in size, so there are at most log2
/// of their records of them, and each record is merged as often.
size_t PlanCompaction(std::span<const size_t> fresh);

}  // namespace emptor::retrieval
