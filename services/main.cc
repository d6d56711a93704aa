// emptor: one executable, roles by subcommand.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <variant>

#include "catalog/documents/pdf_child.h"
#include "services/cli/command_line.h"
#include "services/cli/commands.h"
#include "services/observability/log.h"

namespace {

using emptor::services::CommandLine;

/// Hands each command to its function.
struct Runner {
  const emptor::services::Config& config;

  int operator()(const emptor::services::ServeCommand&) const {
    return emptor::services::RunServe(config);
  }
  int operator()(const emptor::services::EngineServeCommand& command) const {
    return emptor::services::RunEngineServe(config, command);
  }
  int operator()(const emptor::services::IngestCommand& command) const {
    return emptor::services::RunIngest(config, command);
  }
  int operator()(const emptor::services::AskCommand& command) const {
    return emptor::services::RunAsk(config, command);
  }
  int operator()(const emptor::services::SearchCommand& command) const {
    return emptor::services::RunSearch(config, command);
  }
  int operator()(const emptor::services::ModelCommand& command) const {
    return emptor::services::RunModel(config, command);
  }
  int operator()(const emptor::services::BenchEngineCommand& command) const {
    return emptor::services::RunBenchEngine(config, command);
  }
  int operator()(const emptor::services::BenchRetrievalCommand& command) const {
    return emptor::services::RunBenchRetrieval(config, command);
  }
  int operator()(const emptor::services::BenchServeCommand& command) const {
    return emptor::services::RunBenchServe(command);
  }
  int operator()(const emptor::services::BenchIngestCommand& command) const {
    return emptor::services::RunBenchIngest(config, command);
  }
  int operator()(const emptor::services::EvalPerplexityCommand& command) const {
    return emptor::services::RunEvalPerplexity(config, command);
  }
  int operator()(const emptor::services::ShopCommand& command) const {
    return emptor::services::RunShop(config, command);
  }
  int operator()(const emptor::services::EvalRetrievalCommand& command) const {
    return emptor::services::RunEvalRetrieval(config, command);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const bool is_pdf_child =
      argc == 2 && std::strcmp(argv[1], emptor::catalog::kPdfChildCommand) == 0;
  if (is_pdf_child) return emptor::catalog::RunPdfChild();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error of the write, as a full disk is
  emptor::services::KeepStandardOutputClean();
  try {
    const auto line = emptor::services::ParseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&line)) return *code;
    const auto& parsed = std::get<CommandLine>(line);
    return std::visit(Runner{parsed.config}, parsed.command);
  } catch (const std::exception& error) {  // a library's: we throw none
    std::fprintf(stderr, "emptor: %s\n", error.what());
    return 2;
  }
}
