// Answers of the MCP endpoint.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "catalog/encoding/json.h"
#include "services/http/exchange.h"
#include "services/mcp/mcp_message.h"

namespace emptor::services {

/// `result` of a request: what `write_members` writes, and what its revision asks of every result.
Response MakeMcpResult(const McpMessage& message,
                       const std::function<void(catalog::JsonWriter&)>& write_members);

/// The answer of a tool: two texts, the second of them `json`, and `json` as structured content.
Response MakeToolResult(const McpMessage& message, std::string_view text, const std::string& json);
/// What a model can mend: a result with `isError`.
Response MakeToolError(const McpMessage& message, std::string_view text);

/// A JSON-RPC error. It has no `id` where `id` is empty.
Response MakeMcpError(const McpError& error, std::string_view id);

/// Writes errors of the gate and the limits, which have the form of the API, as JSON-RPC errors.
/// For Route::wrap.
std::shared_ptr<Exchange> WithMcpErrors(std::shared_ptr<Exchange> exchange);

/// `serverInfo`: name, title, version.
void WriteServerInfo(catalog::JsonWriter& writer);

}  // namespace emptor::services
