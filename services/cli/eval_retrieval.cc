// emptor eval retrieval.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "fmt/format.h"
#include "retrieval/eval/translations.h"
#include "services/app/service_file.h"
#include "services/cli/commands.h"
#include "services/embedding/open_embedder.h"
#include "services/eval/eval_catalog.h"
#include "services/eval/eval_runs.h"
#include "services/eval/fold_tuning.h"
#include "services/eval/retrieval_report.h"
#include "services/shop/shop_directory.h"
#include "services/shop/shop_settings.h"

namespace emptor::services {
namespace {

struct EvalRetrievalCommand {
  std::string products;         // a feed; empty: the data directory's
  std::string judgments;        // query, record id, grade between tabs, or TREC qrels
  std::string queries;          // id and text between a tab; for qrels
  std::string translations;     // a table of the queries' texts by language; empty: as they are
  std::string language = "en";  // of that table
  std::vector<std::string> modes = {"baseline", "bm25", "vector", "hybrid"};
  std::vector<std::string> diff;  // two run files to compare instead of searching
  std::string run;                // where the last mode's run is written; empty: nowhere
  double lexical_weight = -1;     // of the fusion, from 0 to 1; below 0: as served
  double trusted_coverage = -1;   // of the words, 0 to 1; below 0: as served
  double diversity = 0;           // of the results, 0 to 1
  bool tune_fields = false;       // mode tuned chooses the weights of fields, too
  std::string qrels;              // where the judgments are written as qrels; empty: nowhere
  std::string gain = "2^g-1";
  double relevant_from = 1;
  int depth = 100;
  int folds = 0;
  bool baseline_titles_only = false;
  bool baseline_keeps_plurals = false;
  bool per_query = false;
  bool json = false;
};

constexpr int kMaxRefusals = 10;  // printed ones

absl::Status InFile(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), fmt::format("{}: {}", path, std::string(status.message())));
}

absl::StatusOr<retrieval::QuerySet> ReadQueries(const EvalRetrievalCommand& command) {
  const auto text = ReadFile(command.judgments);
  if (!text.ok()) return text.status();
  auto queries = retrieval::ParseJudgments(*text);
  if (!queries.ok()) return InFile(command.judgments, queries.status());
  if (queries->empty()) {
    return absl::InvalidArgumentError(command.judgments + ": expected judgments, found none");
  }
  const bool is_search = command.diff.empty();
  if (!command.queries.empty()) {
    const auto lines = ReadFile(command.queries);
    if (!lines.ok()) return lines.status();
    const absl::Status set = retrieval::SetTexts(*lines, *queries);
    if (!set.ok()) return InFile(command.queries, set);
  } else if (is_search && queries->front().text.empty()) {
    return absl::InvalidArgumentError("--queries: the texts of the queries of a qrels file");
  }
  if (!command.translations.empty()) {
    const auto table = ReadFile(command.translations);
    if (!table.ok()) return table.status();
    const absl::Status set = retrieval::TranslateQueries(*table, command.language, *queries);
    if (!set.ok()) return InFile(command.translations, set);
  }
  return queries;
}

/// Everything a search needs, in building order.
struct Searchers {
  ShopEmbedder opened;
  const retrieval::Embedder* embedder = nullptr;  // of `opened`
  std::unique_ptr<retrieval::FrozenBm25> baseline;
  std::unique_ptr<retrieval::ShopWords> words;
  retrieval::HybridOptions options;
  std::vector<retrieval::IndexedProduct> products;  // empty where one searcher is enough
  std::unique_ptr<retrieval::HybridSearcher> searcher;

  EvalSearchers view() const { return {baseline.get(), searcher.get()}; }
};

/// Of the shop that is searched; empty: a feed is.
std::string SearchedShop(const Config& config, const EvalRetrievalCommand& command) {
  return command.products.empty() ? ShopPath(config) : "";
}

absl::StatusOr<std::vector<retrieval::IndexedProduct>> ReadProducts(
    const Config& config, const EvalRetrievalCommand& command,
    const retrieval::Embedder& embedder) {
  if (command.products.empty()) {
    auto stored = ReadStoredProducts(SearchedShop(config, command), embedder);
    if (!stored.ok()) return ExplainLock(config.data_dir, stored.status());
    return stored;
  }
  int refused = 0;
  auto products = ReadFeedProducts(command.products, [&](uint64_t line, std::string_view reason) {
    if (++refused > kMaxRefusals) return;
    std::fprintf(stderr, "%s:%llu: %.*s\n", command.products.c_str(),
                 static_cast<unsigned long long>(line), static_cast<int>(reason.size()),
                 reason.data());
  });
  if (refused > 0) std::fprintf(stderr, "%d records left out\n", refused);
  return products;
}

retrieval::HybridOptions SearchOptions(const EvalRetrievalCommand& command) {
  retrieval::HybridOptions options;
  if (command.lexical_weight >= 0) {
    options.fusion.lexical_weight = static_cast<float>(command.lexical_weight);
    options.fusion.vector_weight = 1 - options.fusion.lexical_weight;
  }
  if (command.trusted_coverage >= 0) {
    options.fusion.trusted_coverage = static_cast<float>(command.trusted_coverage);
  }
  return options;
}

bool HasMode(const std::vector<EvalWay>& ways, std::initializer_list<EvalMode> wanted) {
  return std::any_of(ways.begin(), ways.end(), [&](const EvalWay& way) {
    return std::find(wanted.begin(), wanted.end(), way.mode) != wanted.end();
  });
}

/// The words of the products, with the shop's synonyms or those that come with Emptor.
absl::StatusOr<std::unique_ptr<retrieval::ShopWords>> ReadWords(
    const std::string& shop_path, const std::vector<retrieval::IndexedProduct>& products) {
  const auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  auto words = std::make_unique<retrieval::ShopWords>(*analyzer);
  retrieval::Synonyms synonyms = retrieval::DefaultSynonyms();
  if (!shop_path.empty()) {
    auto read = ReadShopSynonyms(shop_path);
    if (!read.ok()) return read.status();
    synonyms = std::move(read->synonyms);
  }
  words->SetSynonyms(std::move(synonyms));
  for (const auto& each : products) words->Put(each.product);
  words->WaitUntilCurrent();
  return words;
}

std::unique_ptr<retrieval::FrozenBm25> MakeBaseline(
    const EvalRetrievalCommand& command, const std::vector<retrieval::IndexedProduct>& products) {
  auto baseline = std::make_unique<retrieval::FrozenBm25>(
      retrieval::FrozenBm25Options{.description = !command.baseline_titles_only,
                                   .brand = !command.baseline_titles_only,
                                   .strip_plurals = !command.baseline_keeps_plurals});
  for (const auto& each : products) baseline->Add(each.product);
  return baseline;
}

absl::StatusOr<Searchers> MakeSearchers(const Config& config, const EvalRetrievalCommand& command,
                                        const std::vector<EvalWay>& ways) {
  Searchers searchers;
  auto opened = OpenEmbedder(config.embedder, config.embedder_settings);
  if (!opened.ok()) return opened.status();
  searchers.opened = *std::move(opened);
  searchers.embedder = &searchers.opened.inner();
  auto products = ReadProducts(config, command, *searchers.embedder);
  if (!products.ok()) return products.status();
  if (HasMode(ways, {EvalMode::kBaseline})) searchers.baseline = MakeBaseline(command, *products);
  const bool has_vectors = HasMode(ways, {EvalMode::kVector, EvalMode::kHybrid, EvalMode::kTuned});
  if (has_vectors) {
    const absl::Status filled = FillVectors(*searchers.embedder, *products);
    if (!filled.ok()) return filled;
  } else {  // unused
    const std::vector<float> none(static_cast<size_t>(searchers.embedder->dimension()), 0.0f);
    for (auto& each : *products) each.vector = none;
  }
  if (!has_vectors && !HasMode(ways, {EvalMode::kBm25})) return searchers;
  auto words = ReadWords(SearchedShop(config, command), *products);
  if (!words.ok()) return words.status();
  searchers.words = *std::move(words);
  searchers.options = SearchOptions(command);
  searchers.options.words = searchers.words.get();
  if (HasMode(ways, {EvalMode::kTuned})) searchers.products = *products;
  auto built = retrieval::HybridSearcher::Build(*std::move(products), *searchers.embedder,
                                                searchers.options);
  if (!built.ok()) return built.status();
  searchers.searcher = *std::move(built);
  return searchers;
}

absl::StatusOr<std::vector<EvalWay>> ParseModes(const EvalRetrievalCommand& command) {
  std::vector<EvalWay> ways;
  for (const std::string& name : command.modes) {
    const auto way = ParseEvalWay(name);
    if (!way) {
      return absl::InvalidArgumentError(
          "--mode: expected baseline, bm25, vector, hybrid or tuned, or one of these "
          "with -plain, found " +
          name);
    }
    if (way->mode == EvalMode::kTuned && command.folds < 2) {
      return absl::InvalidArgumentError("--mode: tuned needs --folds of at least 2");
    }
    ways.push_back(*way);
  }
  return ways;
}

/// Searches with the settings that the other folds chose, and reports them.
absl::StatusOr<TimedRun> MeasureTuned(const EvalRetrievalCommand& command,
                                      const Searchers& searchers, const EvalWay& way,
                                      RetrievalReport& report) {
  const SearcherFactory make = [&](const retrieval::Bm25Options& bm25) {
    retrieval::HybridOptions options = searchers.options;
    options.bm25 = bm25;
    return retrieval::HybridSearcher::Build(searchers.products, *searchers.embedder, options);
  };
  auto tuned = RunTuned(make, report.queries,
                        {.settings = SettingsToTry(command.tune_fields, way.words),
                         .metrics = report.metrics,
                         .folds = report.folds,
                         .depth = command.depth,
                         .words = way.words});
  if (!tuned.ok()) return tuned.status();
  for (size_t fold = 0; fold < tuned->by_fold.size(); ++fold) {
    report.notes.push_back(fmt::format("{}, fold {}: {}", tuned->timed.run.name, fold,
                                       ToString(tuned->by_fold[fold])));
  }
  report.notes.push_back(
      fmt::format("{}, chosen by all queries: {}", tuned->timed.run.name, ToString(tuned->of_all)));
  return std::move(tuned->timed);
}

/// Searches in every mode; the run of the last one goes to --run.
absl::Status Measure(const Config& config, const EvalRetrievalCommand& command,
                     RetrievalReport& report) {
  const auto modes = ParseModes(command);
  if (!modes.ok()) return modes.status();
  const auto searchers = MakeSearchers(config, command, *modes);
  if (!searchers.ok()) return searchers.status();
  EvalSearchers view = searchers->view();
  view.diversity = static_cast<float>(command.diversity);
  for (const EvalWay& way : *modes) {
    auto timed = way.mode == EvalMode::kTuned
                     ? MeasureTuned(command, *searchers, way, report)
                     : RunQueries(view, way, report.queries, command.depth);
    if (!timed.ok()) return timed.status();
    report.runs.push_back({retrieval::ScoreRun(timed->run, report.queries, report.metrics),
                           std::move(timed->milliseconds)});
    if (command.run.empty() || way != modes->back()) continue;
    const absl::Status written = WriteFile(command.run, retrieval::WriteRun(timed->run));
    if (!written.ok()) return written;
  }
  return absl::OkStatus();
}

/// A run of unjudged queries would score 0 everywhere.
absl::Status CheckRun(const retrieval::Run& run, const retrieval::QuerySet& queries) {
  if (run.rankings.empty()) return absl::InvalidArgumentError("expected a run, found none");
  const bool any_judged = std::any_of(queries.begin(), queries.end(), [&](const auto& query) {
    return run.rankings.count(query.id) != 0;
  });
  if (any_judged) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("expected queries of the judgments (\"{}\"), found \"{}\" and {} more",
                  queries.front().id, run.rankings.begin()->first, run.rankings.size() - 1));
}

absl::Status Compare(const EvalRetrievalCommand& command, RetrievalReport& report) {
  for (const std::string& path : command.diff) {
    const auto text = ReadFile(path);
    if (!text.ok()) return text.status();
    const auto run = retrieval::ParseRun(*text);
    if (!run.ok()) return InFile(path, run.status());
    if (const absl::Status of_them = CheckRun(*run, report.queries); !of_them.ok()) {
      return InFile(path, of_them);
    }
    report.runs.push_back({retrieval::ScoreRun(*run, report.queries, report.metrics), {}});
  }
  return absl::OkStatus();
}

int RunEvalRetrieval(const Config& config, const EvalRetrievalCommand& command) {
  RetrievalReport report;
  const auto gain = retrieval::ParseGain(command.gain);
  if (!gain) return Fail(absl::InvalidArgumentError("--gain: unknown: " + command.gain));
  report.metrics.gain = *gain;
  report.metrics.relevant_from = command.relevant_from;
  report.folds = static_cast<size_t>(command.folds);
  report.per_query = command.per_query;
  auto queries = ReadQueries(command);
  if (!queries.ok()) return Fail(queries.status());
  report.queries = *std::move(queries);
  if (!command.qrels.empty()) {
    const absl::Status written = WriteFile(command.qrels, retrieval::WriteQrels(report.queries));
    if (!written.ok()) return Fail(written);
  }
  const absl::Status measured =
      command.diff.empty() ? Measure(config, command, report) : Compare(command, report);
  if (!measured.ok()) return Fail(measured);
  const std::string text = command.json ? ReportJson(report) + "\n" : ReportText(report);
  std::fputs(text.c_str(), stdout);
  return 0;
}

void AddInputFlags(Command command, EvalRetrievalCommand& options) {
  command.Add("--products", options.products, "a feed to search instead of --data-dir");
  command
      .Add("--judgments", options.judgments,
           "query, record id and grade between tabs, or TREC qrels")
      .Required();
  command.Add("--queries", options.queries, "id and text between a tab, for qrels");
  command.Add("--translations", options.translations,
              "queries in several languages: those of the table, in --language");
  command.Add("--language", options.language, "column of the table (en)");
  command
      .Add("--mode", options.modes,
           "baseline, bm25, vector, hybrid, tuned; bm25-plain, hybrid-plain, ...: "
           "without the words; compared with the first")
      .Delimiter(',');
  command.Add("--diff", options.diff, "compare two TREC run files, search nothing").Count(2);
  command.Add("--run", options.run, "write the last mode's ranking, TREC");
  command.Add("--qrels", options.qrels, "write the judgments, TREC");
}

void AddSearchFlags(Command command, EvalRetrievalCommand& options) {
  command.Add("--lexical-weight", options.lexical_weight, "of the fusion, 0 to 1").Range(0.0, 1.0);
  command
      .Add("--trusted-coverage", options.trusted_coverage,
           "share of the query's words in one record from which words are trusted; 0: always")
      .Range(0.0, 1.0);
  command.Add("--diversity", options.diversity, "of the results, 0 to 1").Range(0.0, 1.0);
  command.AddSwitch("--tune-fields", options.tune_fields,
                    "mode tuned: try weights of title, attributes and description, too");
}

}  // namespace

void AddEvalRetrievalCommand(Command eval, SettingFlags& settings) {
  const auto options = std::make_shared<EvalRetrievalCommand>();
  const Command command = eval.AddCommand(
      "retrieval",
      "ranking quality of searches against human judgments, with confidence intervals");
  settings.AddForData(command);
  AddInputFlags(command, *options);
  AddSearchFlags(command, *options);
  command.Add("--gain", options->gain, "of a grade: 2^g-1, 2^(g-1)-1 or g")
      .OneOf({"2^g-1", "2^(g-1)-1", "g"});
  command.Add("--relevant-from", options->relevant_from, "least grade that is relevant (1)");
  command.Add("--depth", options->depth, "records a query (100)").Range(1, 1000);
  command.Add("--folds", options->folds, "report by so many folds of the queries").Range(0, 100);
  command.AddSwitch("--baseline-titles-only", options->baseline_titles_only,
                    "the baseline reads no description and brand");
  command.AddSwitch("--baseline-keeps-plurals", options->baseline_keeps_plurals,
                    "the baseline keeps the ending of plurals");
  command.AddSwitch("--per-query", options->per_query, "every query, the greatest changes first");
  command.AddSwitch("--json", options->json, "one JSON object");
  settings.OnRun(command,
                 [options](const Config& config) { return RunEvalRetrieval(config, *options); });
}

}  // namespace emptor::services
