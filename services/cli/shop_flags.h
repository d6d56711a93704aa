// The flags of `emptor shop`, `backup`, `restore` and `verify`.
#pragma once

#include <functional>
#include <vector>

#include "services/cli/command_line.h"

namespace CLI {
class App;
}  // namespace CLI

namespace emptor::services {

/// Adds --config, --data-dir and --embedder to a command.
using AddFlags = std::function<void(CLI::App& command)>;

/// Adds the four; gives the commands of which one may have been typed, into `command`.
std::vector<const CLI::App*> AddShopCommands(CLI::App& app, ShopCommand& command,
                                             const AddFlags& add_data_flags);

}  // namespace emptor::services
