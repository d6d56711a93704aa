// The methods of the protocol.
#include "services/mcp/mcp_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "services/api/api_errors.h"
#include "services/mcp/mcp_calls.h"
#include "services/mcp/mcp_message.h"
#include "services/mcp/mcp_reply.h"
#include "services/mcp/mcp_tools.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using catalog::JsonWriter;

/// For which a client may keep the list of tools: it changes with the program alone.
constexpr int64_t kFreshMilliseconds = 3'600'000;
constexpr int kNotFound = 404;

void WriteCapabilities(JsonWriter& writer) {
  writer.Key("capabilities").BeginObject().Key("tools").BeginObject().EndObject().EndObject();
}

/// For lists of the revisions without a handshake.
void WriteFreshness(const McpMessage& message, JsonWriter& writer) {
  if (message.has_handshake) return;
  writer.Member("ttlMs", kFreshMilliseconds).Member("cacheScope", "public");
}

/// The version that the client asked for, or the newest that it may know.
Response Initialize(const McpMessage& message) {
  const JsonValue* wanted = message.params.Find("protocolVersion");
  const auto found = wanted == nullptr || !wanted->is_string()
                         ? kMcpHandshakeVersions.end()
                         : std::find(kMcpHandshakeVersions.begin(), kMcpHandshakeVersions.end(),
                                     wanted->as_string());
  return MakeMcpResult(message, [&](JsonWriter& writer) {
    writer.Member("protocolVersion",
                  found == kMcpHandshakeVersions.end() ? kMcpHandshakeVersions.front() : *found);
    WriteCapabilities(writer);
    writer.Key("serverInfo");
    WriteServerInfo(writer);
    writer.Member("instructions", McpInstructions());
  });
}

Response Discover(const McpMessage& message) {
  return MakeMcpResult(message, [&](JsonWriter& writer) {
    writer.Key("supportedVersions").BeginArray().String(kMcpVersion);
    for (const std::string_view version : kMcpHandshakeVersions) writer.String(version);
    writer.EndArray();
    WriteCapabilities(writer);
    writer.Member("instructions", McpInstructions());
    WriteFreshness(message, writer);
  });
}

Response ListTools(const McpMessage& message) {
  if (const JsonValue* cursor = message.params.Find("cursor");
      cursor != nullptr && !cursor->is_null()) {
    return MakeMcpError({.code = mcp_code::kInvalidParams,
                         .message = "params.cursor: the list has one page: leave it out"},
                        message.id);
  }
  return MakeMcpResult(message, [&](JsonWriter& writer) {
    writer.Key("tools").Raw(McpToolsJson());
    WriteFreshness(message, writer);
  });
}

Response NoSuchMethod(const McpMessage& message) {
  McpError error;
  error.code = mcp_code::kMethodNotFound;
  error.http_status = message.has_handshake ? 200 : kNotFound;
  error.message = fmt::format("no method {}: this server has {}tools/list and tools/call",
                              message.method.substr(0, 64),
                              message.has_handshake ? "initialize, ping, " : "server/discover, ");
  return MakeMcpError(error, message.id);
}

Response Accepted() {
  Response response;
  response.status = 202;
  response.content_type = "";
  AddSecurityHeaders(response);
  return response;
}

void Handle(const McpCalls& calls, const std::shared_ptr<Exchange>& exchange) {
  const Request& request = exchange->request();
  const McpReading reading =
      ReadMcpMessage(request.body, {request.Header("mcp-protocol-version"),
                                    request.Header("mcp-method"), request.Header("mcp-name")});
  const McpMessage& message = reading.message;
  if (reading.error) return exchange->Respond(MakeMcpError(*reading.error, message.id));
  if (message.id.empty()) return exchange->Respond(Accepted());
  if (message.method == "tools/call") return calls.Call(exchange, message);
  if (message.method == "tools/list") return exchange->Respond(ListTools(message));
  if (message.has_handshake && message.method == "initialize") {
    return exchange->Respond(Initialize(message));
  }
  if (message.has_handshake && message.method == "ping") {
    return exchange->Respond(MakeMcpResult(message, [](JsonWriter&) {}));
  }
  if (!message.has_handshake && message.method == "server/discover") {
    return exchange->Respond(Discover(message));
  }
  exchange->Respond(NoSuchMethod(message));
}

}  // namespace

std::vector<Route> MakeMcpRoutes(const McpRoutesParts& parts) {
  const auto calls = std::make_shared<const McpCalls>(parts);
  Route route("POST", "/mcp", Access::kAsk,
              [calls](const std::shared_ptr<Exchange>& exchange, std::string_view) {
                Handle(*calls, exchange);
              });
  route.wrap = WithMcpErrors;
  return {std::move(route)};
}

}  // namespace emptor::services
