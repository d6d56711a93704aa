// Each step sorts or removes candidates; none adds one.
#include "retrieval/hybrid/post_ranking.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace emptor::retrieval {
namespace {

const std::string& IdOf(const Snapshot& snapshot, const Candidate& candidate) {
  return snapshot.segments[candidate.segment].segment->ids[candidate.record];
}

uint64_t GroupOf(const Snapshot& snapshot, const Candidate& candidate) {
  return snapshot.segments[candidate.segment].segment->groups.group(candidate.record);
}

void SortByFused(std::vector<Candidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.fused > b.fused; });
}

float Dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void ApplyPopularityAndStock(const Snapshot& snapshot, const FusionOptions& options,
                             std::vector<Candidate>& candidates) {
  const auto inventory = [&](const Candidate& candidate) -> const InventoryColumns& {
    return snapshot.segments[candidate.segment].columns().inventory();
  };
  float most_popular = 0;
  for (const Candidate& candidate : candidates) {
    most_popular = std::max(most_popular, inventory(candidate).popularity(candidate.record));
  }
  const float share = most_popular > 0 ? options.popularity : 0.0f;
  bool changed = false;
  for (Candidate& candidate : candidates) {
    const InventoryColumns& columns = inventory(candidate);
    const bool in_stock =
        columns.availability(candidate.record) != catalog::Availability::kOutOfStock;
    if (candidate.identified || (share <= 0 && in_stock)) continue;
    if (!in_stock) candidate.fused *= 1 - options.out_of_stock;
    if (share > 0) {
      candidate.fused = (1 - share) * candidate.fused +
                        share * columns.popularity(candidate.record) / most_popular;
    }
    changed = true;
  }
  if (changed) SortByFused(candidates);
}

void ApplyMerchandising(const Snapshot& snapshot, const Merchandising& merchandising,
                        std::vector<Candidate>& candidates) {
  if (merchandising.empty()) return;
  std::unordered_map<std::string_view, float> factors;
  for (const Boost& boost : merchandising.boosted) factors.emplace(boost.id, boost.factor);
  const std::unordered_set<std::string_view> buried(merchandising.buried.begin(),
                                                    merchandising.buried.end());
  for (Candidate& candidate : candidates) {
    const auto factor = factors.find(IdOf(snapshot, candidate));
    if (factor != factors.end()) {
      candidate.fused = std::min(1.0f, candidate.fused * factor->second);
    }
    if (candidate.pinned > 0) candidate.fused = 1;
  }
  SortByFused(candidates);
  const auto behind_pinned =
      std::stable_partition(candidates.begin(), candidates.end(),
                            [](const Candidate& candidate) { return candidate.pinned > 0; });
  std::sort(candidates.begin(), behind_pinned,
            [](const Candidate& a, const Candidate& b) { return a.pinned < b.pinned; });
  const auto first_buried = std::stable_partition(
      behind_pinned, candidates.end(),
      [&](const Candidate& candidate) { return !buried.contains(IdOf(snapshot, candidate)); });
  // Scores never rise along the result: a buried candidate has at most the score before it.
  if (first_buried == candidates.begin()) return;
  const float last = (first_buried - 1)->fused;
  for (auto it = first_buried; it != candidates.end(); ++it) it->fused = std::min(it->fused, last);
}

void KeepBestVariants(const Snapshot& snapshot, std::vector<Candidate>& candidates) {
  std::unordered_set<uint64_t> seen;
  for (const Candidate& candidate : candidates) {
    if (candidate.pinned > 0) seen.insert(GroupOf(snapshot, candidate));
  }
  std::erase_if(candidates, [&](const Candidate& candidate) {
    const uint64_t group = GroupOf(snapshot, candidate);
    return candidate.pinned == 0 && group != 0 && !seen.insert(group).second;
  });
}

void Diversify(const Snapshot& snapshot, float diversity, std::vector<Candidate>& candidates) {
  if (diversity <= 0) return;
  const auto is_fixed = [](const Candidate& c) { return c.identified || c.pinned > 0; };
  const size_t fixed = static_cast<size_t>(
      std::find_if_not(candidates.begin(), candidates.end(), is_fixed) - candidates.begin());
  const size_t n = std::min(kDiversified, candidates.size());
  if (fixed + 1 >= n) return;
  const size_t dimension =
      static_cast<size_t>(snapshot.segments[0].segment->vectors->rows().dimension());
  std::vector<float> rows(n * dimension);  // [n, dimension]
  const auto row = [&](size_t i) { return std::span(rows).subspan(i * dimension, dimension); };
  std::vector<float> scores;
  for (size_t i = 0; i < n; ++i) {
    const Candidate& candidate = candidates[i];
    snapshot.segments[candidate.segment].segment->vectors->rows().DecodeInto(candidate.record,
                                                                             row(i));
    scores.push_back(candidate.fused);
  }
  const float best = std::max(scores[fixed], 1e-6f);
  std::vector<float> nearest(n, 0.0f);  // greatest cosine to a selected candidate
  std::vector<size_t> order;
  std::vector<bool> taken(n, false);
  while (order.size() < n) {
    size_t next = order.size();  // the fixed ones in their order
    if (order.size() >= fixed) {
      float most = 0;
      next = n;
      for (size_t i = fixed; i < n; ++i) {
        if (taken[i]) continue;
        const float value = (1 - diversity) * scores[i] / best - diversity * nearest[i];
        if (next == n || value > most) {
          next = i;
          most = value;
        }
      }
    }
    taken[next] = true;
    order.push_back(next);
    for (size_t i = 0; i < n; ++i) nearest[i] = std::max(nearest[i], Dot(row(next), row(i)));
  }
  std::vector<Candidate> reordered;
  for (size_t i = 0; i < n; ++i) {
    reordered.push_back(candidates[order[i]]);
    reordered.back().fused = scores[i];
  }
  std::copy(reordered.begin(), reordered.end(), candidates.begin());
}

}  // namespace emptor::retrieval
