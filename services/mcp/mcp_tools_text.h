// services/mcp/mcp_tools.json, as it is in the repository.
#pragma once

#include <string_view>

namespace emptor::services {

std::string_view McpToolsText();

}  // namespace emptor::services
