// Runs measured over a set of queries, and compared with each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "retrieval/eval/metrics.h"
#include "retrieval/eval/query_set.h"
#include "retrieval/eval/trec_run.h"

namespace emptor::retrieval {

/// One run over one query set.
struct RunScores {
  std::string name;
  std::vector<QueryScores> queries;  // [query set]
};

/// A query that the run does not name is scored as an empty ranking.
RunScores ScoreRun(const Run& run, const QuerySet& queries, const MetricOptions& options);

/// The mean over the queries that a metric can measure.
struct Mean {
  double value = 0;
  size_t queries = 0;  // 0: nothing was measurable
};
/// Over the queries at `positions` of the set; every query when there are none given.
Mean MeanOf(const RunScores& run, Metric metric, std::span<const size_t> positions = {});

struct BootstrapOptions {
  int rounds = 10000;
  uint64_t seed = 1;
  double coverage = 0.95;
};

/// A mean with its percentile bootstrap interval (Efron 1979; Sakai 2006 for retrieval).
struct Interval {
  double mean = 0;
  double low = 0;
  double high = 0;
  size_t queries = 0;

  bool excludes_zero() const { return queries > 0 && (low > 0 || high < 0); }
};

/// Of the values themselves. Equal inputs give equal intervals.
Interval BootstrapMean(std::span<const double> values, const BootstrapOptions& options = {});

/// Of b - a over the queries that both measure: paired, since each query is drawn with both scores.
/// REQUIRES: both are over the same query set.
Interval CompareRuns(const RunScores& a, const RunScores& b, Metric metric,
                     const BootstrapOptions& options = {});

}  // namespace emptor::retrieval
