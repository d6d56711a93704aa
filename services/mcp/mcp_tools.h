// The tools that the endpoint offers.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// The array `tools` of tools/list: mcp_tools.json, with the schemas of /openapi.json that it
/// refers to in place of the references. Made once. Thread-safety: any thread.
const std::string& McpToolsJson();

/// The instructions that the server gives to a model.
std::string_view McpInstructions();

}  // namespace emptor::services
