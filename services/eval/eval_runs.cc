// One loop over the queries for each mode.
#include "services/eval/eval_runs.h"

#include <chrono>
#include <utility>

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view kPlain = "-plain";

std::string_view NameOf(EvalMode mode) {
  switch (mode) {
    case EvalMode::kBaseline:
      return "baseline";
    case EvalMode::kBm25:
      return "bm25";
    case EvalMode::kVector:
      return "vector";
    case EvalMode::kHybrid:
      return "hybrid";
    case EvalMode::kTuned:
      break;
  }
  return "tuned";
}

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
                                                           const EvalWay& way,
                                                           const std::string& query, int depth) {
  if (way.mode == EvalMode::kBaseline) {
    return searchers.baseline->Search(query, static_cast<size_t>(depth));
  }
  retrieval::SearchRequest request;
  request.query = query;
  request.limit = depth;
  request.mode = SearchModeOf(way.mode);
  request.rewrite = way.words;
  request.fusion = searchers.fusion;
  request.diversity = searchers.diversity;
  auto found = searchers.searcher->Search(request);
  std::vector<retrieval::RankedId> ranking;
  if (absl::IsInvalidArgument(found.status())) return ranking;
  if (!found.ok()) return found.status();
  for (retrieval::Hit& hit : found->hits) ranking.push_back({std::move(hit.id), hit.score});
  return ranking;
}

}  // namespace

std::string ToString(const EvalWay& way) {
  const bool has_words = way.mode != EvalMode::kBaseline && way.mode != EvalMode::kVector;
  std::string name(NameOf(way.mode));
  if (has_words && !way.words) name += kPlain;
  return name;
}

std::optional<EvalWay> ParseEvalWay(std::string_view name) {
  for (const EvalMode mode : kEvalModes) {
    for (const bool words : {true, false}) {
      if (ToString(EvalWay{mode, words}) == name) return EvalWay{mode, words};
    }
  }
  return std::nullopt;
}

absl::StatusOr<TimedRun> RunQueries(const EvalSearchers& searchers, const EvalWay& way,
                                    const retrieval::QuerySet& queries, int depth) {
  TimedRun timed;
  timed.run.name = ToString(way);
  for (const retrieval::EvalQuery& query : queries) {
    const auto begun = steady_clock::now();
    auto ranking = SearchOne(searchers, way, query.text, depth);
    if (!ranking.ok()) return ranking.status();
    timed.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(steady_clock::now() - begun).count());
    timed.run.rankings[query.id] = *std::move(ranking);
  }
  return timed;
}

}  // namespace emptor::services
