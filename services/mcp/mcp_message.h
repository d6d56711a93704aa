// Messages of the Model Context Protocol over streamable HTTP: which revision a message follows,
// and whether it is well-formed. The specification: modelcontextprotocol.io/specification.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/encoding/json.h"

namespace emptor::services {

/// The revision in which every request carries its version and its client's capabilities, and the
/// ones before it, which begin with `initialize`.
inline constexpr std::string_view kMcpVersion = "2026-07-28";
inline constexpr std::array<std::string_view, 2> kMcpHandshakeVersions = {"2025-11-25",
                                                                          "2025-06-18"};

/// JSON-RPC 2.0 and the specification's own.
namespace mcp_code {
inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
                     kInvalidParams = -32602, kInternalError = -32603, kHeaderMismatch = -32020,
                     kUnsupportedVersion = -32022;
}  // namespace mcp_code

/// The header fields that repeat parts of the body; empty: the request has none of that name.
struct McpHeaders {
  std::string_view version;  // MCP-Protocol-Version
  std::string_view method;   // Mcp-Method
  std::string_view name;     // Mcp-Name
};

struct McpMessage {
  std::string id;  // as JSON: `7`, `"a"`; empty: a notification, or not known
  std::string method;
  catalog::JsonValue params;   // an object, or null where there are none
  bool has_handshake = false;  // of a revision that begins with `initialize`
};

struct McpError {
  int http_status = 200;
  int code = 0;
  std::string message;    // says what to do
  std::string data = {};  // JSON; empty: none
};

struct McpReading {
  McpMessage message;             // with an error: its id, where it could be read
  std::optional<McpError> error;  // why it is not taken
};

inline constexpr size_t kMaxMcpIdBytes = 256;

/// Reads the body of a POST and holds it against the header fields. Pure.
McpReading ReadMcpMessage(std::string_view body, const McpHeaders& headers);

/// `{"supported":[...],"requested":"..."}`: data of kUnsupportedVersion.
std::string UnsupportedVersionData(std::string_view requested);

}  // namespace emptor::services
