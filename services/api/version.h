// The version of this build: `emptor --version`, GET /info.
#pragma once

namespace emptor::services {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace emptor::services
