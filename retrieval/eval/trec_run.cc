// Run files in and out.
#include "retrieval/eval/trec_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "retrieval/eval/eval_lines.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

constexpr double kMaxScore = 1e30;

absl::Status LineError(size_t line, const std::string& what) {
  return absl::InvalidArgumentError(fmt::format("run:{}: {}", line, what));
}

}  // namespace

absl::StatusOr<Run> ParseRun(std::string_view text) {
  Run run;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  LineWalk lines(text);
  while (const auto line = lines.Next()) {
    if (!IsValidUtf8(*line)) {
      return LineError(lines.number(), "expected UTF-8, found ill-formed bytes");
    }
    const auto columns = SplitBlanks(*line);
    if (columns.size() != 6) {
      return LineError(lines.number(),
                       fmt::format("expected query id, Q0, record id, rank, score and name, found "
                                   "{} columns",
                                   columns.size()));
    }
    const auto score = ParseDecimal(columns[4], kMaxScore);
    if (!score) {
      return LineError(lines.number(),
                       fmt::format("expected a score, found \"{}\"", Excerpt(columns[4])));
    }
    if (!seen.emplace(columns[0], columns[2]).second) {
      return LineError(lines.number(), fmt::format("expected each record once for a query, found "
                                                   "{} again",
                                                   Excerpt(columns[2])));
    }
    if (run.name.empty()) run.name = columns[5];
    run.rankings[std::string(columns[0])].push_back({std::string(columns[2]), *score});
  }
  for (auto& [query, ranking] : run.rankings) {
    std::stable_sort(ranking.begin(), ranking.end(),
                     [](const RankedId& a, const RankedId& b) { return a.score > b.score; });
  }
  return run;
}

std::string WriteRun(const Run& run) {
  const std::string name = run.name.empty() ? "run" : run.name;
  std::string out;
  for (const auto& [query, ranking] : run.rankings) {
    for (size_t i = 0; i < ranking.size(); ++i) {
      out +=
          fmt::format("{} Q0 {} {} {} {}\n", query, ranking[i].id, i + 1, ranking[i].score, name);
    }
  }
  return out;
}

}  // namespace emptor::retrieval
