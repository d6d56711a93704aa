// Scores of runs over a query set, and their comparison.
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

/// A query that is missing in the run is scored as an empty ranking.
RunScores ScoreRun(const Run& run, const QuerySet& queries, const MetricOptions& options);

/// The mean over the queries for which the metric is defined.
struct Mean {
  double value = 0;
  size_t queries = 0;  // 0: undefined for every query
};
/// Over the queries at `positions` of the set; over all queries when `positions` is empty.
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

/// Of b - a over the queries for which both are defined: paired, each query is drawn with both
/// scores. REQUIRES: both are over the same query set.
Interval CompareRuns(const RunScores& a, const RunScores& b, Metric metric,
                     const BootstrapOptions& options = {});

}  // namespace emptor::retrieval
