// When segments are merged: a pure decision over their sizes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace emptor::retrieval {

/// Bounds of what a search may have to scan outside the immutable part.
struct MergeLimits {
  /// A full compaction runs when the fresh segments hold more records than this...
  size_t min_fresh_records = 5000;
  /// ... and more than this share of it. The same bounds hold for tombstones.
  double fresh_share = 0.25;
  /// Replaces min_fresh_records while the immutable part is empty.
  size_t first_immutable_records = 1000;
};

/// Records of the segments: live[0] is the immutable part, the others are fresh, oldest first;
/// `dead` counts the tombstones of all.
struct SegmentSizes {
  std::vector<size_t> live;
  size_t dead = 0;
};

/// Whether all segments should be merged into one immutable part.
bool NeedsFullCompaction(const MergeLimits& limits, const SegmentSizes& sizes);

/// The minor compaction that is due: merge fresh[i] and every later one, where i is the result.
/// `fresh.size()` when none is due. Sizes are kept geometric, so at most log2(records) fresh
/// segments exist, and each record takes part in at most that many minor compactions.
size_t PlanMinorCompaction(std::span<const size_t> fresh);

}  // namespace emptor::retrieval
