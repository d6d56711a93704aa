// The report of a retrieval evaluation, as tables and as JSON.
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
  size_t folds = 0;               // 0: not reported by fold
  bool per_query = false;
  std::vector<std::string> notes;  // lines after the figures: which settings were chosen
  retrieval::BootstrapOptions bootstrap;
};

/// Lines for a terminal: means of every run; each run against the first with its 95 % interval;
/// by fold; by query, the greatest changes of nDCG first.
std::string ReportText(const RetrievalReport& report);

/// One JSON object with the same figures.
std::string ReportJson(const RetrievalReport& report);

}  // namespace emptor::services
