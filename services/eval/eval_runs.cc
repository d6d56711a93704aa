// Searches of an evaluation.
#include "services/eval/eval_runs.h"

#include <fmt/format.h>

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
  request.rerank = mode == EvalMode::kReranked;
  if (const auto& rankers = searchers.fold_rankers; !rankers.empty()) {
    request.ranker = rankers[retrieval::FoldOf(query, rankers.size())].get();
  }
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
      return "hybrid";
    case EvalMode::kReranked:
      break;
  }
  return "reranked";
}

std::optional<EvalMode> ParseEvalMode(std::string_view name) {
  for (const EvalMode mode : kEvalModes) {
    if (ToString(mode) == name) return mode;
  }
  return std::nullopt;
}

absl::StatusOr<std::string> FeatureLines(const retrieval::HybridSearcher& searcher,
                                         const retrieval::QuerySet& queries) {
  std::string lines = "query\tfold\trecord\tgrade";
  for (size_t i = 0; i < retrieval::kFeatureCount; ++i) {
    lines += fmt::format("\t{}", retrieval::ToString(static_cast<retrieval::Feature>(i)));
  }
  lines += '\n';
  for (const retrieval::EvalQuery& query : queries) {
    retrieval::SearchRequest request;
    request.query = query.text;
    request.rerank = false;
    request.on_features = [&](const std::string& id, const retrieval::FeatureVector& features) {
      const auto grade = query.grades.find(id);
      lines += fmt::format("{}\t{}\t{}\t", query.id, retrieval::FoldOf(query.text, 5), id);
      if (grade != query.grades.end()) lines += fmt::format("{}", grade->second);
      for (const float value : features) lines += fmt::format("\t{}", value);
      lines += '\n';
    };
    const auto found = searcher.Search(request);
    if (!found.ok() && !absl::IsInvalidArgument(found.status())) return found.status();
  }
  return lines;
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
