// Flags that several commands share, handed to whoever makes those commands.
#pragma once

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace emptor::services {

/// Adds them to a command.
using AddFlags = std::function<void(CLI::App& command)>;

}  // namespace emptor::services
