// The flags of `emptor shop`, `backup`, `restore` and `verify`.
#pragma once

#include <vector>

#include "services/cli/add_flags.h"
#include "services/cli/command_line.h"

namespace emptor::services {

/// Adds the four, with `add_data_flags` (--config, --data-dir, --embedder); gives the commands of
/// which one may have been typed, into `command`.
std::vector<const CLI::App*> AddShopCommands(CLI::App& app, ShopCommand& command,
                                             const AddFlags& add_data_flags);

}  // namespace emptor::services
