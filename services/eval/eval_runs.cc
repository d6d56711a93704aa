// Searches of an evaluation.
#include "services/eval/eval_runs.h"

#include <chrono>
#include <utility>

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

retrieval::SearchMode SearchModeOf(EvalMode mode) {
  switch (mode) {
    case EvalMode::kBm25:
      return retrieval::SearchMode::kLexical;
    case EvalMode::kVector:
      return retrieval::SearchMode::kVector;
    default:
      return retrieval::SearchMode::kHybrid;
  }
}

absl::StatusOr<std::vector<retrieval::RankedId>> SearchOne(const EvalSearchers& searchers,
                                                           EvalMode mode, const std::string& query,
                                                           int depth) {
  if (mode == EvalMode::kBaseline) {
    return searchers.baseline->Search(query, static_cast<size_t>(depth));
  }
  retrieval::SearchRequest request;
  request.query = query;
  request.limit = depth;
  request.mode = SearchModeOf(mode);
  auto found = searchers.searcher->Search(request);
  std::vector<retrieval::RankedId> ranking;
  if (absl::IsInvalidArgument(found.status())) return ranking;
  if (!found.ok()) return found.status();
  for (retrieval::Hit& hit : found->hits) ranking.push_back({std::move(hit.id), hit.score});
  return ranking;
}

}  // namespace

std::string_view ToString(EvalMode mode) {
  switch (mode) {
    case EvalMode::kBaseline:
      return "baseline";
    case EvalMode::kBm25:
      return "bm25";
    case EvalMode::kVector:
      return "vector";
    case EvalMode::kHybrid:
      break;
  }
  return "hybrid";
}

std::optional<EvalMode> ParseEvalMode(std::string_view name) {
  for (const EvalMode mode : kEvalModes) {
    if (ToString(mode) == name) return mode;
  }
  return std::nullopt;
}

absl::StatusOr<TimedRun> RunQueries(const EvalSearchers& searchers, EvalMode mode,
                                    const retrieval::QuerySet& queries, int depth) {
  TimedRun timed;
  timed.run.name = ToString(mode);
  for (const retrieval::EvalQuery& query : queries) {
    const auto begun = steady_clock::now();
    auto ranking = SearchOne(searchers, mode, query.text, depth);
    if (!ranking.ok()) return ranking.status();
    timed.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(steady_clock::now() - begun).count());
    timed.run.rankings[query.id] = *std::move(ranking);
  }
  return timed;
}

}  // namespace emptor::services
