// The flags of `emptor bench`.
#pragma once

#include "services/cli/add_flags.h"
#include "services/cli/command_line.h"

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

/// Adds `bench engine`, `retrieval`, `serve` and `ingest`; what is typed lands in `commands`. The
/// two that make a shop take `add_search_flags` (--config, --embedder) as well.
BenchApps AddBenchCommands(CLI::App& app, BenchCommands& commands,
                           const AddFlags& add_search_flags);

}  // namespace emptor::services
