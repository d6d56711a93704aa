// The flags of `emptor bench`.
#pragma once

#include "services/cli/command_line.h"

namespace CLI {
class App;
}  // namespace CLI

namespace emptor::services {

struct BenchApps {
  const CLI::App* engine;
  const CLI::App* retrieval;
  const CLI::App* serve;
  const CLI::App* ingest;
};

struct BenchCommands {
  BenchEngineCommand engine;
  BenchRetrievalCommand retrieval;
  BenchServeCommand serve;
  BenchIngestCommand ingest;
};

/// Adds `bench engine`, `retrieval`, `serve` and `ingest`; what is typed lands in `commands`.
BenchApps AddBenchCommands(CLI::App& app, BenchCommands& commands);

}  // namespace emptor::services
