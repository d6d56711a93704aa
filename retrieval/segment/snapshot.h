// The segments of a shop at one moment.
#pragma once

#include <vector>

#include "retrieval/segment/segment.h"

namespace emptor::retrieval {

/// Immutable. segments[0] is the immutable part, the others are fresh. Each id is live in at most
/// one segment.
struct Snapshot {
  std::vector<SegmentView> segments;
};

}  // namespace emptor::retrieval
