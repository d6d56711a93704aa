// Runs every query of a set in one search mode.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/eval/frozen_baseline.h"
#include "retrieval/eval/query_set.h"
#include "retrieval/eval/trec_run.h"
#include "retrieval/hybrid/hybrid_searcher.h"

namespace emptor::services {

/// How an evaluation searches.
enum class EvalMode { kBaseline, kBm25, kVector, kHybrid, kTuned };
inline constexpr std::array kEvalModes = {EvalMode::kBaseline, EvalMode::kBm25, EvalMode::kVector,
                                          EvalMode::kHybrid, EvalMode::kTuned};
struct EvalWay {
  EvalMode mode = EvalMode::kHybrid;
  bool words = true;  // corrections, inflections, synonyms: as the shop searches

  friend bool operator==(const EvalWay&, const EvalWay&) = default;
};
/// "baseline" (the frozen baseline), "bm25", "vector", "hybrid" (as a shop searches), "tuned"
/// (hybrid with settings that the other folds chose: fold_tuning.h). With the suffix "-plain",
/// bm25, hybrid and tuned search without the words.
std::string ToString(const EvalWay& way);
std::optional<EvalWay> ParseEvalWay(std::string_view name);

/// The rankings, named after the mode, and the time of each search.
struct TimedRun {
  retrieval::Run run;
  std::vector<double> milliseconds;  // [queries] in the order of the set
};

/// What a mode searches; a part that it does not need may be null.
struct EvalSearchers {
  const retrieval::FrozenBm25* baseline = nullptr;
  const retrieval::HybridSearcher* searcher = nullptr;
  const retrieval::FusionOptions* fusion = nullptr;  // null: the searcher's
  float diversity = 0;                               // retrieval::SearchRequest::diversity
};

/// Ranks `depth` records for each query. A query that the search refuses has an empty ranking.
/// REQUIRES: not kTuned, which is RunTuned. Errors: kInternal.
absl::StatusOr<TimedRun> RunQueries(const EvalSearchers& searchers, const EvalWay& way,
                                    const retrieval::QuerySet& queries, int depth);

}  // namespace emptor::services
