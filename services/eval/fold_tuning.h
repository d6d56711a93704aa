// The hybrid search under settings that each query has had no say in.
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

/// What of the ranking was chosen by judgments.
struct RankingSetting {
  retrieval::Bm25Options bm25;
  retrieval::FusionOptions fusion;
};

/// "title 2, attributes 0.1, lexical 0.7, expansions 1".
std::string ToString(const RankingSetting& setting);

/// The settings that are tried, the served one first and the others by their distance from it,
/// those with equal bm25 side by side: shares of the words in the fusion from 0.5 to 1; with
/// `words` each with expansions at 0.5, 1 and 1.5 times their weight; with `fields` these with each
/// of several weights of title, attributes and description.
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
  RankingSetting of_all;  // what all queries together choose: for serving, not for reporting
};

using SearcherFactory = std::function<absl::StatusOr<std::unique_ptr<retrieval::HybridSearcher>>(
    const retrieval::Bm25Options& bm25)>;

/// Searches every query under every setting; ranks the queries of each fold by the setting that the
/// others choose (retrieval/eval/fold_choice.h) by the sum of nDCG and nDCG judged only: the first
/// takes what nobody has judged for wrong and so favours the search that the judgments were pooled
/// from, the second leaves it out. Errors: kInternal, those of `make`.
absl::StatusOr<TunedRun> RunTuned(const SearcherFactory& make, const retrieval::QuerySet& queries,
                                  const TuningOptions& options);

}  // namespace emptor::services
