// Means and paired bootstrap.
#include "retrieval/eval/comparison.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <random>

namespace emptor::retrieval {

RunScores ScoreRun(const Run& run, const QuerySet& queries, const MetricOptions& options) {
  RunScores scores{.name = run.name, .queries = {}};
  std::vector<std::string> ids;
  for (const EvalQuery& query : queries) {
    ids.clear();
    if (const auto found = run.rankings.find(query.id); found != run.rankings.end()) {
      for (const RankedId& hit : found->second) ids.push_back(hit.id);
    }
    scores.queries.push_back(ScoreRanking(ids, query.grades, options));
  }
  return scores;
}

Mean MeanOf(const RunScores& run, Metric metric, std::span<const size_t> positions) {
  Mean mean;
  const auto add = [&](const QueryScores& scores) {
    const auto& value = scores.of(metric);
    if (!value) return;
    mean.value += *value;
    ++mean.queries;
  };
  if (positions.empty()) {
    for (const QueryScores& scores : run.queries) add(scores);
  } else {
    for (const size_t position : positions) add(run.queries[position]);
  }
  if (mean.queries > 0) mean.value /= static_cast<double>(mean.queries);
  return mean;
}

Interval BootstrapMean(std::span<const double> values, const BootstrapOptions& options) {
  Interval interval;
  interval.queries = values.size();
  if (values.empty()) return interval;
  const auto n = static_cast<double>(values.size());
  interval.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  std::mt19937_64 random(options.seed);
  std::vector<double> means(static_cast<size_t>(std::max(options.rounds, 1)));
  for (double& mean : means) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      // The top 32 bits scaled to the range: alike on every machine, unlike the distributions.
      sum += values[static_cast<size_t>(((random() >> 32) * values.size()) >> 32)];
    }
    mean = sum / n;
  }
  std::sort(means.begin(), means.end());
  const double tail = (1 - options.coverage) / 2;
  const auto last = static_cast<double>(means.size() - 1);
  interval.low = means[static_cast<size_t>(std::floor(tail * last))];
  interval.high = means[static_cast<size_t>(std::ceil((1 - tail) * last))];
  return interval;
}

Interval CompareRuns(const RunScores& a, const RunScores& b, Metric metric,
                     const BootstrapOptions& options) {
  assert(a.queries.size() == b.queries.size());
  std::vector<double> differences;
  for (size_t i = 0; i < a.queries.size(); ++i) {
    const auto& first = a.queries[i].of(metric);
    const auto& second = b.queries[i].of(metric);
    if (first && second) differences.push_back(*second - *first);
  }
  return BootstrapMean(differences, options);
}

}  // namespace emptor::retrieval
