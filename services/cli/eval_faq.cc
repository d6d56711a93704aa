// emptor eval faq.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "catalog/feed/decompressor.h"
#include "fmt/format.h"
#include "retrieval/cache/faq_fit.h"
#include "retrieval/cache/faq_tuning.h"
#include "services/bench/html_report.h"
#include "services/cli/commands.h"
#include "services/embedding/open_embedder.h"
#include "services/eval/faq_eval.h"
#include "services/eval/faq_sets.h"

namespace emptor::services {
namespace {

constexpr const char* kMinimalPairs = "minimal_pairs.jsonl";

struct EvalFaqCommand {
  std::vector<std::string> sets;
  std::vector<std::string> others;  // embedders besides the one of the settings
  std::string data;                 // folder of public sets
  std::string pairs = std::string("data/eval/faq/") + kMinimalPairs;
  std::string tuning;        // a tuning file in place of the shipped one
  std::string write_tuning;  // where weights fitted on the fit sides are written
  std::string report;
  bool failures = false;
};

/// What shipped weights are fitted on: of each set its fit side, looked up in three ways.
struct ShippedFit {
  struct Side {
    std::vector<retrieval::FaqLabelled> labelled;
    double weight = 1;       // for the weights
    bool is_learned = true;  // the index has learned where it can
  };
  std::vector<Side> sides;
};

/// The results of one embedder.
struct EmbedderResults {
  std::string name;
  std::vector<FaqTaskResult> tasks;
};

absl::StatusOr<std::string> ReadSetFile(const EvalFaqCommand& command, const std::string& path) {
  const auto bytes = ReadFile(path == kMinimalPairs ? command.pairs : command.data + "/" + path);
  if (!bytes.ok() || !path.ends_with(".zst")) return bytes;
  std::string text;
  catalog::Decompressor decompressor([&](std::string_view part) {
    text += part;
    return absl::OkStatus();
  });
  absl::Status status = decompressor.Push(*bytes);
  if (status.ok()) status = decompressor.Finish();
  if (!status.ok()) {
    return absl::Status(status.code(), fmt::format("{}: {}", path, std::string(status.message())));
  }
  return text;
}

absl::StatusOr<retrieval::FaqTuning> ReadTuning(const std::string& path) {
  if (path.empty()) return retrieval::DefaultFaqTuning();
  const auto text = ReadFile(path);
  if (!text.ok()) return text.status();
  return retrieval::ParseFaqTuning(*text);
}

/// Questions of the fit side that are answered wrongly as served: what is reported stays unread.
void PrintFailures(const FaqTask& task, const FaqRun& run, const retrieval::FaqTuning& tuning) {
  for (size_t i = 0; i < run.labelled.size(); ++i) {
    const auto& labelled = run.labelled[i];
    const auto answer = retrieval::DecideFaq(labelled.matches, tuning);
    const bool is_hit = answer.decision == retrieval::FaqDecision::kHit;
    const std::string hit = is_hit ? answer.candidates.front().id : "";
    if (hit == labelled.id) continue;
    const auto& matches = labelled.matches.matches;
    std::printf("  [%s] %s | wanted %s | %s %s | %s\n", run.kinds[i].c_str(),
                task.fit.questions[i].text.c_str(),
                labelled.id.empty() ? "none" : labelled.id.c_str(), is_hit ? "hit" : "no hit",
                is_hit            ? answer.candidates.front().phrasing.c_str()
                : matches.empty() ? "-"
                                  : matches.front().phrasing.c_str(),
                matches.empty() ? "" : matches.front().contradiction.c_str());
  }
}

/// Adds the fit side of a task: as it is served, without the classifier, without vectors.
absl::Status AddToShipped(const FaqTask& task, const FaqRun& fit,
                          const retrieval::Embedder& embedder, ShippedFit& shipped) {
  const auto unlearned = RunFaqCollection(task.fit, task.is_pairs, embedder, /*learns=*/false);
  if (!unlearned.ok()) return unlearned.status();
  const auto by_words = RunFaqCollectionByWords(task.fit, embedder);
  if (!by_words.ok()) return by_words.status();
  for (const FaqRun* run : {&fit, &*unlearned, &*by_words}) {
    shipped.sides.push_back({run->labelled, task.fit_weight, run == &fit});
  }
  return absl::OkStatus();
}

/// The model of FAQs that a classifier has learned: every set counts as much as another, whatever
/// its size, but for real traffic; ridge and weight transfer best to sets that are left out (ADR
/// 0017). The models without it: every question counts as much as another.
retrieval::FaqTuning FitShipped(const ShippedFit& shipped) {
  constexpr retrieval::FaqFitOptions kLearned{
      .target_error = 0.1, .target_outside = 0.1, .ridge = 0.03};
  constexpr double kSetMass = 1000;
  std::vector<retrieval::FaqLabelled> learned, learned_sets, others;
  for (const ShippedFit::Side& side : shipped.sides) {
    for (retrieval::FaqLabelled each : side.labelled) {
      if (!each.matches.is_learned) {
        if (!side.is_learned) others.push_back(std::move(each));
        continue;
      }
      each.weight = kSetMass / static_cast<double>(side.labelled.size());
      learned_sets.push_back(each);
      each.weight *= side.weight;
      learned.push_back(std::move(each));
    }
  }
  const retrieval::FaqTuning of_learned = retrieval::FitFaqThresholds(
      retrieval::FitFaqTuning(learned, kLearned), learned_sets, kLearned);
  retrieval::FaqTuning fitted = retrieval::FitFaqTuning(others);
  fitted.learned = of_learned.learned;
  fitted.learned_hit_threshold = of_learned.learned_hit_threshold;
  fitted.unsure_threshold = std::min(fitted.unsure_threshold, fitted.learned_hit_threshold);
  fitted.entry_thresholds.clear();  // the entries are those of the sets
  return fitted;
}

absl::Status MeasureSet(const EvalFaqCommand& command, const std::string& set,
                        const retrieval::Embedder& embedder, const retrieval::FaqTuning& tuning,
                        EmbedderResults& results, ShippedFit& shipped) {
  const auto tasks =
      ReadFaqTasks(set, [&](const std::string& path) { return ReadSetFile(command, path); });
  if (!tasks.ok()) return tasks.status();
  for (const FaqTask& task : *tasks) {
    const auto fit = RunFaqCollection(task.fit, task.is_pairs, embedder);
    if (!fit.ok()) return fit.status();
    const auto report = RunFaqCollection(task.report, task.is_pairs, embedder);
    if (!report.ok()) return report.status();
    // Tasks that share their fit side give it once.
    const bool is_first = &task == &tasks->front() || task.fit_is_own;
    if (!command.write_tuning.empty() && task.is_licensed && is_first) {
      const absl::Status added = AddToShipped(task, *fit, embedder, shipped);
      if (!added.ok()) return added;
    }
    results.tasks.push_back(MeasureFaqTask(task, *fit, *report, tuning));
    std::fputs(FaqResultText(results.tasks.back()).c_str(), stdout);
    std::fflush(stdout);
    if (command.failures && is_first) PrintFailures(task, *fit, tuning);
  }
  return absl::OkStatus();
}

std::vector<std::string> FigureRow(const std::string& name, const FaqFigures& figures) {
  return {name,
          fmt::format("{:.3f}", figures.hit_rate()),
          fmt::format("{:.3f}", figures.precision()),
          fmt::format("{}", figures.false_hits()),
          fmt::format("{:.3f}", figures.in_scope_accuracy()),
          fmt::format("{:.3f}", figures.outside_rate())};
}

void AddTask(const FaqTaskResult& task, HtmlReport& page) {
  page.AddHeading(task.name);
  std::vector<std::vector<std::string>> rows = {{"way, threshold", "hit rate", "precision",
                                                 "false hits", "in scope right",
                                                 "outside answered"}};
  std::vector<Curve> curves;
  for (const FaqWayResult& way : task.ways) {
    const std::string name(ToString(way.way));
    rows.push_back(FigureRow(name + ", precision 0.95", way.at_precision));
    if (way.at_outside.answerable < way.at_outside.questions) {
      rows.push_back(FigureRow(name + ", outside 0.10", way.at_outside));
    }
    if (way.as_served.questions > 0)
      rows.push_back(FigureRow(name + ", as shipped", way.as_served));
    Curve curve{name, {}};
    constexpr size_t kPoints = 100;
    const size_t step = std::max<size_t>(1, way.curve.size() / kPoints);
    for (size_t i = 0; i < way.curve.size(); i += step) {
      curve.points.emplace_back(way.curve[i].hit_rate, way.curve[i].precision);
    }
    curves.push_back(std::move(curve));
  }
  page.AddTable(rows);
  page.AddCurves({"hit rate", "precision"}, curves);
}

absl::Status WriteReport(const std::string& path, const std::vector<EmbedderResults>& all) {
  HtmlReport page("FAQ look-up");
  page.AddText(
      "Precision against hit rate of plain cosine and of the look-up. Thresholds are chosen on one "
      "split, figures come from another.");
  for (const EmbedderResults& results : all) {
    page.AddHeading("Embedder " + results.name);
    for (const FaqTaskResult& task : results.tasks) AddTask(task, page);
  }
  return page.WriteTo(path);
}

absl::StatusOr<EmbedderResults> MeasureEmbedder(const EvalFaqCommand& command,
                                                const std::string& path,
                                                const EmbedderSettings& settings,
                                                const retrieval::FaqTuning& tuning,
                                                ShippedFit& shipped) {
  const auto opened = OpenEmbedder(path, settings);
  if (!opened.ok()) return opened.status();
  EmbedderResults results{std::filesystem::path(path).filename().string(), {}};
  std::printf("embedder %s\n", results.name.c_str());
  for (const std::string& set : command.sets) {
    const absl::Status measured =
        MeasureSet(command, set, opened->inner(), tuning, results, shipped);
    if (!measured.ok()) return measured;
  }
  return results;
}

int RunEvalFaq(const Config& config, EvalFaqCommand command) {
  if (command.sets.empty()) command.sets = FaqSetNames();
  if (command.data.empty()) {
    const char* folder = std::getenv("EMPTOR_TEST_DATA");
    command.data = folder == nullptr ? "" : folder;
  }
  const auto tuning = ReadTuning(command.tuning);
  if (!tuning.ok()) return Fail(tuning.status());
  ShippedFit shipped;
  std::vector<EmbedderResults> all;
  std::vector<std::string> embedders = {config.embedder};
  embedders.insert(embedders.end(), command.others.begin(), command.others.end());
  for (const std::string& path : embedders) {
    auto results = MeasureEmbedder(command, path, config.embedder_settings, *tuning, shipped);
    if (!results.ok()) return Fail(results.status());
    all.push_back(*std::move(results));
  }
  if (!command.write_tuning.empty()) {
    const std::string text = retrieval::WriteFaqTuning(FitShipped(shipped));
    const absl::Status written = WriteFile(command.write_tuning, text);
    if (!written.ok()) return Fail(written);
  }
  if (!command.report.empty()) {
    const absl::Status written = WriteReport(command.report, all);
    if (!written.ok()) return Fail(written);
  }
  return 0;
}

}  // namespace

void AddEvalFaqCommand(Command eval, SettingFlags& settings) {
  const auto options = std::make_shared<EvalFaqCommand>();
  const Command command =
      eval.AddCommand("faq", "FAQ look-up on labelled questions, next to plain cosine");
  settings.AddForSearch(command);
  command
      .Add("--sets", options->sets,
           "minimal, hint3, banking77, clinc150, qqp, afqmc, lcqmc (all of them)")
      .Delimiter(',');
  command.Add("--data", options->data, "folder of the public sets ($EMPTOR_TEST_DATA)");
  command.Add("--pairs", options->pairs, "file of minimal pairs (data/eval/faq)");
  command.Add("--also", options->others, "embedders to measure, too").Delimiter(',');
  command.Add("--tuning", options->tuning, "a tuning file in place of the shipped one");
  command.Add("--write-tuning", options->write_tuning,
              "fit a tuning on the fit sides of the sets whose licence allows it, and write it");
  command.Add("--report", options->report, "an HTML page with the curves");
  command.AddSwitch("--failures", options->failures,
                    "print each question of the fit sides that is answered wrongly");
  settings.OnRun(command, [options](const Config& config) { return RunEvalFaq(config, *options); });
}

}  // namespace emptor::services
