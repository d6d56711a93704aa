// All commands, in the order of the help.
#include "services/cli/command_line.h"

#include <string>
#include <utility>

#include "services/api/version.h"
#include "services/cli/command.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

void AddBenchCommands(Command root, SettingFlags& settings) {
  const Command bench = root.AddCommand("bench", "measure speed");
  bench.RequireCommand();
  AddBenchEngineCommand(bench, settings);
  AddBenchRetrievalCommand(bench, settings);
  AddBenchServeCommand(bench);
  AddBenchIngestCommand(bench, settings);
  AddBenchCacheCommand(bench, settings);
  AddBenchGatewayCommand(bench);
}

void AddEvalCommands(Command root, SettingFlags& settings) {
  const Command eval = root.AddCommand("eval", "measure quality");
  eval.RequireCommand();
  AddEvalPerplexityCommand(eval, settings);
  AddEvalRetrievalCommand(eval, settings);
  AddEvalAnswersCommand(eval, settings);
  AddEvalClaimsCommand(eval, settings);
  AddEvalEvidenceCommand(eval, settings);
  AddEvalFaqCommand(eval, settings);
  AddEvalTurnsCommand(eval, settings);
}

void AddGatewayCommands(Command root, SettingFlags&) { AddGatewayCommand(root); }

}  // namespace

std::variant<CommandLine, int> ParseCommandLine(int argc, char** argv) {
  CommandTree tree("emptor",
                   "Emptor: a shopping assistant that states only what the catalog holds.",
                   std::string("emptor ") + kVersion);
  auto settings = std::make_unique<SettingFlags>();
  for (const auto add :
       {&AddServeCommand, &AddEngineCommand, &AddGatewayCommands, &AddIngestCommand, &AddAskCommand,
        &AddSearchCommand, &AddFaqCommands, &AddModelCommand, &AddConfigCommand, &AddBenchCommands,
        &AddShopCommands, &AddKeyCommands, &AddEvalCommands}) {
    add(tree.root(), *settings);
  }
  if (const auto code = tree.Parse(argc, argv)) return *code;
  return CommandLine{std::move(settings), tree.chosen()};
}

}  // namespace emptor::services
