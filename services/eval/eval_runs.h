// Runs every query of a set in one search mode.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/eval/pinned_bm25.h"
#include "retrieval/eval/query_set.h"
#include "retrieval/eval/trec_run.h"
#include "retrieval/hybrid/hybrid_searcher.h"

namespace emptor::services {

/// How an evaluation searches.
enum class EvalMode { kBaseline, kBm25, kVector, kHybrid, kReranked, kTuned };
inline constexpr std::array kEvalModes = {EvalMode::kBaseline, EvalMode::kBm25,
                                          EvalMode::kVector,   EvalMode::kHybrid,
                                          EvalMode::kReranked, EvalMode::kTuned};
struct EvalWay {
  EvalMode mode = EvalMode::kHybrid;
  bool words = true;  // corrections, inflections, synonyms: as the shop searches

  friend bool operator==(const EvalWay&, const EvalWay&) = default;
};
/// "baseline" (the frozen BM25), "bm25", "vector", "hybrid" (fused scores decide), "reranked" (what
/// is served), "tuned" (hybrid with settings that the other folds chose: fold_tuning.h). The
/// suffix "-plain" on bm25, hybrid, reranked and tuned: without corrections and synonyms.
std::string ToString(const EvalWay& way);
std::optional<EvalWay> ParseEvalWay(std::string_view name);

/// The rankings, named after the mode, and the time of each search.
struct TimedRun {
  retrieval::Run run;
  std::vector<double> milliseconds;  // [queries] in the order of the set
};

/// What a mode searches; a part that it does not need may be null.
struct EvalSearchers {
  const retrieval::PinnedBm25* baseline = nullptr;
  const retrieval::HybridSearcher* searcher = nullptr;
  /// For kReranked: one model for each fold, trained without that fold. Empty: the searcher's
  /// model.
  std::span<const std::shared_ptr<const retrieval::RankingModel>> fold_rankers = {};
  const retrieval::FusionOptions* fusion = nullptr;  // null: the searcher's
  float diversity = 0;                               // retrieval::SearchRequest::diversity
};

/// Lines of tab-separated features: query id, fold of five, record id, grade (empty: unjudged),
/// then each feature; a heading names them. Only of the candidates that the hybrid search would
/// rerank. Errors: kInternal.
absl::StatusOr<std::string> FeatureLines(const retrieval::HybridSearcher& searcher,
                                         const retrieval::QuerySet& queries);

/// Ranks `depth` records for each query. A query that the search refuses has an empty ranking.
/// REQUIRES: not kTuned, which is RunTuned. Errors: kInternal.
absl::StatusOr<TimedRun> RunQueries(const EvalSearchers& searchers, const EvalWay& way,
                                    const retrieval::QuerySet& queries, int depth);

}  // namespace emptor::services
