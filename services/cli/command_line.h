// The command line: which command was typed, and its settings.
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "services/cli/setting_flags.h"

namespace emptor::services {

struct CommandLine {
  std::unique_ptr<SettingFlags> settings;
  std::function<int()> run;  // the command; returns the exit code. Uses `settings`.
};

/// Reads the arguments. Where nothing is to be run (--help, --version, a mistake), it prints what
/// there is to say and returns the exit code.
std::variant<CommandLine, int> ParseCommandLine(int argc, char** argv);

}  // namespace emptor::services
