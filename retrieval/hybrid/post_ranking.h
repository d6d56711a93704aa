// The steps between the fused order and the answer that look at more than how well words and
// meaning fit: popularity and stock, variants, diversity, a merchant's wishes.
#pragma once

#include <string>
#include <vector>

#include "retrieval/hybrid/fusion.h"
#include "retrieval/hybrid/snapshot_search.h"
#include "retrieval/ranking/merchandising.h"

namespace emptor::retrieval {

/// How many of the first hits diversity reorders.
inline constexpr size_t kDiversified = 50;

/// fused = fused * (1 - out_of_stock, where the record is) mixed with popularity:
///   (1 - w) * fused + w * popularity / the greatest popularity of a candidate,
/// both as they are counted (ln(1 + n)); without any popularity nothing is mixed in. Records that
/// the query identifies keep their score. Sorts anew. Pure.
void ApplyPopularityAndStock(const Snapshot& snapshot, const FusionOptions& options,
                             std::vector<Candidate>& candidates);

/// Boosts and buries: fused times factor, at most 1, sorted anew; what is buried goes to the end.
/// Pinned candidates go to the front in the order of their places, with score 1. Stable else.
void ApplyMerchandising(const Snapshot& snapshot, const Merchandising& merchandising,
                        std::vector<Candidate>& candidates);

/// Keeps the first candidate of each item group, and every one that is pinned; candidates without a
/// group stay.
void KeepBestVariants(const Snapshot& snapshot, std::vector<Candidate>& candidates);

/// Maximal marginal relevance (Carbonell, Goldstein 1998) over the first kDiversified: the next is
/// always the one with the greatest
///   (1 - diversity) * fused / best fused - diversity * greatest cosine to one before it.
/// Identified and pinned ones stay in front. Place i keeps the fused score that it had.
void Diversify(const Snapshot& snapshot, float diversity, std::vector<Candidate>& candidates);

}  // namespace emptor::retrieval
