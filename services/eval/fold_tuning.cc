// The grid of settings, and the choice for each fold.
#include "services/eval/fold_tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "retrieval/eval/comparison.h"
#include "retrieval/eval/fold_choice.h"

namespace emptor::services {
namespace {

using retrieval::Bm25Options;
using retrieval::Field;
using retrieval::Metric;
using retrieval::RunScores;

constexpr std::array kObjective = {Metric::kNdcg, Metric::kNdcgJudged};

float& WeightOf(Field field, Bm25Options& bm25) { return bm25.weight[static_cast<size_t>(field)]; }

std::vector<Bm25Options> FieldWeightsToTry(bool fields) {
  if (!fields) return {Bm25Options()};
  std::vector<Bm25Options> all = {Bm25Options()};
  for (const float title : {1.0f, 2.0f, 3.0f}) {
    for (const float attributes : {0.0f, 0.1f, 0.3f}) {
      for (const float description : {0.5f, 1.0f}) {
        Bm25Options bm25;
        WeightOf(Field::kTitle, bm25) = title;
        WeightOf(Field::kAttributes, bm25) = attributes;
        WeightOf(Field::kDescription, bm25) = description;
        if (bm25 != all.front()) all.push_back(bm25);
      }
    }
  }
  return all;
}

/// Calls `visit` with each setting and a searcher for it. Adjacent settings with equal bm25 share
/// one searcher.
absl::Status ForEachSetting(
    const SearcherFactory& make, const std::vector<RankingSetting>& settings,
    const std::function<absl::Status(size_t, const retrieval::HybridSearcher&)>& visit) {
  std::unique_ptr<retrieval::HybridSearcher> searcher;
  for (size_t s = 0; s < settings.size(); ++s) {
    const Bm25Options& bm25 = settings[s].bm25;
    if (s == 0 || bm25 != settings[s - 1].bm25) {
      searcher = nullptr;  // before the next one is built: one index in memory at a time
      auto made = make(bm25);
      if (!made.ok()) return made.status();
      searcher = *std::move(made);
    }
    if (absl::Status status = visit(s, *searcher); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<TimedRun> RunUnder(const retrieval::HybridSearcher& searcher,
                                  const RankingSetting& setting, const retrieval::QuerySet& queries,
                                  const TuningOptions& options) {
  const EvalSearchers searchers{.searcher = &searcher, .fusion = &setting.fusion};
  return RunQueries(searchers, {EvalMode::kHybrid, options.words}, queries, options.depth);
}

absl::StatusOr<std::vector<RunScores>> ScoreAll(const SearcherFactory& make,
                                                const retrieval::QuerySet& queries,
                                                const TuningOptions& options) {
  std::vector<RunScores> scores(options.settings.size());
  const absl::Status searched =
      ForEachSetting(make, options.settings,
                     [&](size_t s, const retrieval::HybridSearcher& searcher) -> absl::Status {
                       const auto timed = RunUnder(searcher, options.settings[s], queries, options);
                       if (!timed.ok()) return timed.status();
                       scores[s] = retrieval::ScoreRun(timed->run, queries, options.metrics);
                       return absl::OkStatus();
                     });
  if (!searched.ok()) return searched;
  return scores;
}

}  // namespace

std::string ToString(const RankingSetting& setting) {
  const auto& weight = setting.bm25.weight;
  return fmt::format("title {:g}, attributes {:g}, description {:g}, lexical {:g}, expansions {:g}",
                     weight[static_cast<size_t>(Field::kTitle)],
                     weight[static_cast<size_t>(Field::kAttributes)],
                     weight[static_cast<size_t>(Field::kDescription)],
                     setting.fusion.lexical_weight, setting.fusion.expansions);
}

std::vector<RankingSetting> SettingsToTry(bool fields, bool words) {
  const std::vector<float> scales = words ? std::vector{0.5f, 1.0f, 1.5f} : std::vector{1.0f};
  const retrieval::FusionOptions served;
  std::vector<retrieval::FusionOptions> fusions;
  for (int tenths = 5; tenths <= 10; ++tenths) {
    for (const float expansions : scales) {
      retrieval::FusionOptions fusion;
      fusion.lexical_weight = static_cast<float>(tenths) / 10;
      fusion.vector_weight = 1 - fusion.lexical_weight;
      fusion.expansions = expansions;
      fusions.push_back(fusion);
    }
  }
  const auto distance = [&](const retrieval::FusionOptions& fusion) {  // in steps of the grid
    return std::lround(std::abs(fusion.lexical_weight - served.lexical_weight) * 10) +
           std::lround(std::abs(fusion.expansions - served.expansions) * 2);
  };
  std::stable_sort(fusions.begin(), fusions.end(),
                   [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  std::vector<RankingSetting> settings;
  for (const Bm25Options& bm25 : FieldWeightsToTry(fields)) {
    for (const retrieval::FusionOptions& fusion : fusions) settings.push_back({bm25, fusion});
  }
  return settings;
}

absl::StatusOr<TunedRun> RunTuned(const SearcherFactory& make, const retrieval::QuerySet& queries,
                                  const TuningOptions& options) {
  const auto scores = ScoreAll(make, queries, options);
  if (!scores.ok()) return scores.status();
  const auto choices = retrieval::ChooseByFold(*scores, kObjective, queries, options.folds);
  TunedRun tuned;
  for (const size_t choice : choices) tuned.by_fold.push_back(options.settings[choice]);
  std::vector<size_t> everything(queries.size());
  std::iota(everything.begin(), everything.end(), size_t{0});
  if (everything.empty()) return tuned;
  tuned.of_all = options.settings[retrieval::ChooseRun(*scores, kObjective, everything)];
  tuned.timed.run.name = ToString(EvalWay{EvalMode::kTuned, options.words});
  const absl::Status searched =
      ForEachSetting(make, tuned.by_fold,
                     [&](size_t fold, const retrieval::HybridSearcher& searcher) -> absl::Status {
                       retrieval::QuerySet own;
                       for (const retrieval::EvalQuery& query : queries) {
                         if (retrieval::FoldOf(query.text, options.folds) == fold)
                           own.push_back(query);
                       }
                       auto timed = RunUnder(searcher, tuned.by_fold[fold], own, options);
                       if (!timed.ok()) return timed.status();
                       tuned.timed.run.rankings.merge(timed->run.rankings);
                       for (const double ms : timed->milliseconds)
                         tuned.timed.milliseconds.push_back(ms);
                       return absl::OkStatus();
                     });
  if (!searched.ok()) return searched;
  return tuned;
}

}  // namespace emptor::services
