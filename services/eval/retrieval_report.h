// What an evaluation of retrieval found, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "retrieval/eval/comparison.h"
#include "retrieval/eval/metrics.h"
#include "retrieval/eval/query_set.h"

namespace emptor::services {

struct MeasuredRun {
  retrieval::RunScores scores;
  std::vector<double> milliseconds;  // [queries]; empty: a run from a file
};

struct RetrievalReport {
  retrieval::QuerySet queries;
  retrieval::MetricOptions metrics;
  std::vector<MeasuredRun> runs;  // the others are compared with the first
  size_t folds = 0;               // 0: not told by folds
  bool per_query = false;
  std::vector<std::string> notes;  // lines behind the figures: what was chosen where
  retrieval::BootstrapOptions bootstrap;
};

/// Lines for a terminal: means of every run; each run against the first with its 95 % interval;
/// by fold; by query, the greatest changes of nDCG first.
std::string ReportText(const RetrievalReport& report);

/// One JSON object with the same figures.
std::string ReportJson(const RetrievalReport& report);

}  // namespace emptor::services
