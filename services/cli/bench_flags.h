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
};

/// Adds `bench engine`, `bench retrieval` and `bench serve`; what is typed lands in the commands.
BenchApps AddBenchCommands(CLI::App& app, BenchEngineCommand& engine,
                           BenchRetrievalCommand& retrieval, BenchServeCommand& serve);

}  // namespace emptor::services
