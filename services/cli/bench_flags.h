// The flags of `emptor bench`.
#pragma once

#include "services/cli/command_line.h"

namespace CLI {
class App;
}  // namespace CLI

namespace emptor::services {

struct BenchApps {
  const CLI::App* engine;
  const CLI::App* serve;
  const CLI::App* ingest;
};

/// Adds `bench engine`, `bench serve` and `bench ingest`; what is typed lands in the commands.
BenchApps AddBenchCommands(CLI::App& app, BenchEngineCommand& engine, BenchServeCommand& serve,
                           BenchIngestCommand& ingest);

}  // namespace emptor::services
