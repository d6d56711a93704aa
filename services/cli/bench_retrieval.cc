// emptor bench retrieval.
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "services/bench/retrieval_speed.h"
#include "services/cli/commands.h"
#include "services/embedding/open_embedder.h"

namespace emptor::services {
namespace {

struct BenchRetrievalCommand {
  int passages = 100000;
  int queries = 200;
  std::vector<int> threads = {1, 2};
  std::string corpus;        // one text per line; empty: generated titles
  std::string queries_file;  // one query per line; empty: words of the texts
  uint64_t seed = 1;
  bool plain = false;  // search without the dictionary
  bool json = false;
};

/// The non-empty lines of a file; none for an empty path.
absl::StatusOr<std::vector<std::string>> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  if (path.empty()) return lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(std::move(line));
  }
  if (lines.empty()) return absl::InvalidArgumentError(path + ": expected texts, found none");
  return lines;
}

int RunBenchRetrieval(const Config& config, const BenchRetrievalCommand& command) {
  const auto embedder = OpenEmbedder(config.embedder, config.embedder_settings);
  if (!embedder.ok()) return Fail(embedder.status());
  auto texts = ReadLines(command.corpus);
  if (!texts.ok()) return Fail(texts.status());
  auto searched = ReadLines(command.queries_file);
  if (!searched.ok()) return Fail(searched.status());
  const auto report = MeasureRetrieval({.passages = static_cast<size_t>(command.passages),
                                        .queries = static_cast<size_t>(command.queries),
                                        .threads = command.threads,
                                        .texts = *std::move(texts),
                                        .searched = *std::move(searched),
                                        .seed = command.seed,
                                        .dictionary = !command.plain,
                                        .vector_index = VectorIndexOf(config)},
                                       embedder->inner());
  if (!report.ok()) return Fail(report.status());
  const std::string text =
      command.json ? RetrievalSpeedJson(*report) + "\n" : RetrievalSpeedTable(*report);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

void AddBenchRetrievalCommand(Command bench, SettingFlags& settings) {
  const auto options = std::make_shared<BenchRetrievalCommand>();
  const Command command = bench.AddCommand(
      "retrieval", "build time, memory, latency and recall of searches in a generated shop");
  settings.AddForSearch(command);
  command.Add("--passages", options->passages, "records of the shop").Range(1, 1 << 28);
  command.Add("--queries", options->queries, "searches of each measurement").Range(1, 1 << 24);
  command.Add("--threads", options->threads, "concurrent searches: 1,2,4")
      .Delimiter(',')
      .Range(1, 1024);
  command.Add("--corpus", options->corpus,
              "one text per line, joined in halves to make more (generated titles)");
  command.Add("--queries-file", options->queries_file, "one query per line (words of the texts)");
  command.Add("--seed", options->seed, "seed of the generated texts and queries");
  command.AddSwitch("--plain", options->plain,
                    "search only the query's words: no corrections, stems or synonyms");
  command.AddSwitch("--json", options->json, "print JSON in place of the table");
  settings.OnRun(command,
                 [options](const Config& config) { return RunBenchRetrieval(config, *options); });
}

}  // namespace emptor::services
