// Post-ranking: the steps from the fused order to the result. Popularity and stock, merchandising,
// variants, diversity.
#pragma once

#include <string>
#include <vector>

#include "retrieval/hybrid/fusion.h"
#include "retrieval/hybrid/snapshot_search.h"
#include "retrieval/ranking/merchandising.h"

namespace emptor::retrieval {

/// The number of first hits that diversity reorders.
inline constexpr size_t kDiversified = 50;

/// Multiplies the fused score of a record out of stock by (1 - out_of_stock), then mixes in
/// popularity with share w = options.popularity:
///   (1 - w) * fused + w * popularity / (greatest popularity of a candidate),
/// where popularity is ln(1 + n). Without any popularity nothing is mixed in. Records that the
/// query identifies keep their score. Sorts the candidates. Pure.
void ApplyPopularityAndStock(const Snapshot& snapshot, const FusionOptions& options,
                             std::vector<Candidate>& candidates);

/// Applies boosts (fused times factor, at most 1), moves buried candidates to the end, and pinned
/// ones to the front in the order of their places with score 1. Stable otherwise.
void ApplyMerchandising(const Snapshot& snapshot, const Merchandising& merchandising,
                        std::vector<Candidate>& candidates);

/// Keeps the first candidate of each item group and every pinned one. Candidates without a group
/// stay.
void KeepBestVariants(const Snapshot& snapshot, std::vector<Candidate>& candidates);

/// Maximal marginal relevance (Carbonell, Goldstein 1998) over the first kDiversified: the next
/// candidate is the one with the greatest
///   (1 - diversity) * fused / (best fused) - diversity * (greatest cosine to an earlier one).
/// Identified and pinned candidates stay in front. Place i keeps the fused score that it had.
void Diversify(const Snapshot& snapshot, float diversity, std::vector<Candidate>& candidates);

}  // namespace emptor::retrieval
