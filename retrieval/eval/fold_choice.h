// Cross-validated choice of settings: no query is scored with a setting that it helped to choose.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "retrieval/eval/comparison.h"
#include "retrieval/eval/metrics.h"
#include "retrieval/eval/query_set.h"

namespace emptor::retrieval {

/// Of `candidates`, the runs of one query set under different settings, the first that is no worse
/// than the best by more than one standard error of their paired difference, over the queries at
/// `positions` and the sum of the metrics of `objective` (Breiman, Friedman, Olshen, Stone 1984,
/// "Classification and Regression Trees", the one standard error rule). The best is the one with
/// the greatest mean. Earlier candidates are therefore preferred unless the judgments contradict
/// them: with few queries the greatest mean alone is a matter of chance. REQUIRES: candidates are
/// not empty.
size_t ChooseRun(std::span<const RunScores> candidates, std::span<const Metric> objective,
                 std::span<const size_t> positions);

/// For each fold, the choice by the queries of all other folds (ChooseRun). A fold with every query
/// has the choice 0.
/// REQUIRES: candidates are not empty, over `queries`; folds > 0.
std::vector<size_t> ChooseByFold(std::span<const RunScores> candidates,
                                 std::span<const Metric> objective, const QuerySet& queries,
                                 size_t folds);

}  // namespace emptor::retrieval
