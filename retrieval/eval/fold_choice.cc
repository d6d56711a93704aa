// Means over the other folds.
#include "retrieval/eval/fold_choice.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace emptor::retrieval {

namespace {

/// The sum of the metrics that a query can be measured by.
double ValueOf(const QueryScores& scores, std::span<const Metric> objective) {
  double value = 0;
  for (const Metric metric : objective) value += scores.of(metric).value_or(0);
  return value;
}

}  // namespace

size_t ChooseRun(std::span<const RunScores> candidates, std::span<const Metric> objective,
                 std::span<const size_t> positions) {
  assert(!candidates.empty());
  const auto n = static_cast<double>(positions.size());
  std::vector<std::vector<double>> values(candidates.size());  // [candidates, positions]
  std::vector<double> sums;
  for (size_t c = 0; c < candidates.size(); ++c) {
    for (const size_t position : positions) {
      values[c].push_back(ValueOf(candidates[c].queries[position], objective));
    }
    sums.push_back(std::accumulate(values[c].begin(), values[c].end(), 0.0));
  }
  const auto best = static_cast<size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
  for (size_t c = 0; c < best; ++c) {
    const double mean = (sums[best] - sums[c]) / n;
    double squares = 0;
    for (size_t i = 0; i < positions.size(); ++i) {
      const double off = values[best][i] - values[c][i] - mean;
      squares += off * off;
    }
    const double standard_error = n > 1 ? std::sqrt(squares / (n - 1) / n) : 0;
    if (mean <= standard_error) return c;
  }
  return best;
}

std::vector<size_t> ChooseByFold(std::span<const RunScores> candidates,
                                 std::span<const Metric> objective, const QuerySet& queries,
                                 size_t folds) {
  std::vector<size_t> choices;
  for (size_t fold = 0; fold < folds; ++fold) {
    std::vector<size_t> others;
    for (size_t i = 0; i < queries.size(); ++i) {
      if (FoldOf(queries[i].text, folds) != fold) others.push_back(i);
    }
    choices.push_back(others.empty() ? 0 : ChooseRun(candidates, objective, others));
  }
  return choices;
}

}  // namespace emptor::retrieval
