// Sorts and looks.
#include "engine/speed/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace emptor::engine {

double PercentileOfSorted(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return 0;
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(std::floor(place));
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  if (part == 0) return sorted[below];  // exact, and no infinite times zero
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

Summary Summarize(std::vector<double> samples) {
  Summary summary;
  summary.count = samples.size();
  if (samples.empty()) return summary;
  std::sort(samples.begin(), samples.end());
  summary.mean =
      std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  summary.min = samples.front();
  summary.p50 = PercentileOfSorted(samples, 0.5);
  summary.p90 = PercentileOfSorted(samples, 0.9);
  summary.p99 = PercentileOfSorted(samples, 0.99);
  summary.max = samples.back();
  return summary;
}

double MedianOf(std::vector<double> samples) { return Summarize(std::move(samples)).p50; }

}  // namespace emptor::engine
