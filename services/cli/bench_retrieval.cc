// emptor bench retrieval.
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "services/bench/retrieval_speed.h"
#include "services/cli/commands.h"
#include "services/embedding/open_embedder.h"

namespace emptor::services {
namespace {

/// The lines of a file that hold something. An empty path has none.
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

}  // namespace

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
                                        .vector_index = VectorIndexOf(config)},
                                       embedder->inner());
  if (!report.ok()) return Fail(report.status());
  const std::string text =
      command.json ? RetrievalSpeedJson(*report) + "\n" : RetrievalSpeedTable(*report);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace emptor::services
