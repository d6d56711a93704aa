// Exact statistics of samples that are all kept.
#pragma once

#include <cstddef>
#include <vector>

namespace emptor::engine {

/// The value that the share `q` (0 to 1) of the samples lies at or below, interpolated linearly
/// between the two nearest ones (Hyndman and Fan 1996, type 7; what numpy does). 0 without samples.
/// REQUIRES: sorted upwards.
double PercentileOfSorted(const std::vector<double>& sorted, double q);

struct Summary {
  size_t count = 0;
  double mean = 0, min = 0, p50 = 0, p90 = 0, p99 = 0, max = 0;
};

/// All zero without samples.
Summary Summarize(std::vector<double> samples);

double MedianOf(std::vector<double> samples);

}  // namespace emptor::engine
