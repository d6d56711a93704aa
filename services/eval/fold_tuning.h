// The hybrid search, tuned by cross-validation: each query is ranked with settings chosen without
// it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/eval/metrics.h"
#include "retrieval/eval/query_set.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "services/eval/eval_runs.h"

namespace emptor::services {

/// The settings that are chosen by judgments.
struct RankingSetting {
  retrieval::Bm25Options bm25;
  retrieval::FusionOptions fusion;
};

/// "title 2, attributes 0.1, lexical 0.7, expansions 1".
std::string ToString(const RankingSetting& setting);

/// The settings to try, the served one first, the others by their distance from it, those with
/// equal bm25 adjacent: shares of the words in the fusion from 0.5 to 1; with `words` each with
/// expansions at 0.5, 1 and 1.5 times their weight; with `fields` these with each of several
/// weights of title, attributes and description.
std::vector<RankingSetting> SettingsToTry(bool fields, bool words);

struct TuningOptions {
  std::vector<RankingSetting> settings;  // not empty
  retrieval::MetricOptions metrics;
  size_t folds = 5;
  int depth = 100;
  bool words = true;
};

struct TunedRun {
  TimedRun timed;
  std::vector<RankingSetting> by_fold;
  RankingSetting of_all;  // chosen by all queries: for serving, not for reporting
};

using SearcherFactory = std::function<absl::StatusOr<std::unique_ptr<retrieval::HybridSearcher>>(
    const retrieval::Bm25Options& bm25)>;

/// Searches every query with every setting. Ranks the queries of each fold with the setting that
/// the other folds choose (retrieval/eval/fold_choice.h) by the sum of nDCG and nDCG of judged hits
/// only: the first counts unjudged hits as wrong and so favours the search whose results were
/// judged, the second ignores them. Errors: kInternal, those of `make`.
absl::StatusOr<TunedRun> RunTuned(const SearcherFactory& make, const retrieval::QuerySet& queries,
                                  const TuningOptions& options);

}  // namespace emptor::services
