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
};

/// Adds `bench engine` and `bench serve`; what is typed lands in the two commands.
BenchApps AddBenchCommands(CLI::App& app, BenchEngineCommand& engine, BenchServeCommand& serve);

}  // namespace emptor::services
