// What a search sees of a shop at one moment.
#pragma once

#include <vector>

#include "retrieval/segment/segment.h"

namespace emptor::retrieval {

/// What a search sees. segments[0] is the immutable part, the others are fresh. Each id is live in
/// one segment at most. Immutable.
struct Snapshot {
  std::vector<SegmentView> segments;
};

}  // namespace emptor::retrieval
