// The flags of `emptor shop`, `backup`, `restore` and `verify`.
#pragma once

#include <vector>

#include "services/cli/command_line.h"

namespace CLI {
class App;
}  // namespace CLI

namespace emptor::services {

/// Adds the four; gives the commands of which one may have been typed, into `command`.
std::vector<const CLI::App*> AddShopCommands(CLI::App& app, ShopCommand& command,
                                             std::string& data_dir);

}  // namespace emptor::services
