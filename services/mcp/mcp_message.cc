// Strict reading of JSON-RPC messages.
#include "services/mcp/mcp_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr std::string_view kMetaPrefix = "io.modelcontextprotocol/";
constexpr size_t kMaxBytes = 64u << 10, kMaxNodes = 5000, kMaxShownBytes = 64;
constexpr int kMaxDepth = 16;
constexpr int kBadRequest = 400;

McpError Refusal(int code, std::string message) { return {kBadRequest, code, std::move(message)}; }

McpError Mismatch(std::string_view header, std::string_view found, std::string_view expected) {
  if (found.empty()) {
    return Refusal(mcp_code::kHeaderMismatch,
                   fmt::format("{}: the header is missing: send {}", header, expected));
  }
  return Refusal(mcp_code::kHeaderMismatch,
                 fmt::format("{}: the header says {}, the body {}: send the same in both", header,
                             found.substr(0, kMaxShownBytes), expected));
}

McpError UnsupportedVersion(std::string_view requested) {
  McpError error =
      Refusal(mcp_code::kUnsupportedVersion,
              fmt::format("protocol version {} is not spoken here: use one of data.supported",
                          requested.substr(0, kMaxShownBytes)));
  error.data = UnsupportedVersionData(requested);
  return error;
}

bool IsHandshakeVersion(std::string_view version) {
  return std::find(kMcpHandshakeVersions.begin(), kMcpHandshakeVersions.end(), version) !=
         kMcpHandshakeVersions.end();
}

/// The id as JSON; nothing: it may not be one.
std::optional<std::string> IdText(const JsonValue& id) {
  const bool is_good = id.is_int() || (id.is_string() && id.as_string().size() <= kMaxMcpIdBytes);
  if (!is_good) return std::nullopt;
  catalog::JsonWriter writer;
  writer.Value(id);
  return writer.Take();
}

/// jsonrpc, id, method, params.
std::optional<McpError> ReadShape(const JsonValue& body, McpMessage& message) {
  if (body.is_array()) {
    return Refusal(mcp_code::kInvalidRequest, "body: send one message in each POST, not a batch");
  }
  if (!body.is_object()) {
    return Refusal(mcp_code::kInvalidRequest, "body: expected a JSON-RPC message");
  }
  if (const JsonValue* id = body.Find("id"); id != nullptr) {
    const auto text = IdText(*id);
    if (!text) {
      return Refusal(
          mcp_code::kInvalidRequest,
          fmt::format("id: expected an integer, or a string of at most {} bytes", kMaxMcpIdBytes));
    }
    message.id = *text;
  }
  const JsonValue* version = body.Find("jsonrpc");
  if (version == nullptr || !version->is_string() || version->as_string() != "2.0") {
    return Refusal(mcp_code::kInvalidRequest, "jsonrpc: expected \"2.0\"");
  }
  const JsonValue* method = body.Find("method");
  if (method == nullptr || !method->is_string() || method->as_string().empty()) {
    return Refusal(mcp_code::kInvalidRequest,
                   body.Find("result") != nullptr || body.Find("error") != nullptr
                       ? "body: this server sends no requests, so it takes no responses"
                       : "method: expected the name of a method");
  }
  message.method = method->as_string();
  if (const JsonValue* params = body.Find("params"); params != nullptr) {
    if (!params->is_object()) {
      return Refusal(mcp_code::kInvalidRequest, "params: expected an object");
    }
    message.params = *params;
  }
  return std::nullopt;
}

const JsonValue* FindMeta(const McpMessage& message, std::string_view name) {
  const JsonValue* meta = message.params.Find("_meta");
  return meta == nullptr ? nullptr : meta->Find(std::string(kMetaPrefix).append(name));
}

McpError MissingMeta(std::string_view name, std::string_view kind) {
  return Refusal(mcp_code::kInvalidParams,
                 fmt::format("params._meta[\"{}{}\"]: expected {}, which each request carries",
                             kMetaPrefix, name, kind));
}

/// `=?base64?...?=` decoded; nothing: it is not well-formed.
std::optional<std::string> DecodeHeaderValue(std::string_view value) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  if (!value.starts_with(kBegin) || !value.ends_with(kEnd) ||
      value.size() < kBegin.size() + kEnd.size()) {
    return std::string(value);
  }
  value.remove_prefix(kBegin.size());
  value.remove_suffix(kEnd.size());
  std::string decoded;
  const absl::string_view text(value.data(), value.size());
  return absl::Base64Unescape(text, &decoded) ? std::optional(decoded) : std::nullopt;
}

/// What a request of kMcpVersion must carry in its body and repeat in its header.
std::optional<McpError> CheckRequest(const McpMessage& message, const McpHeaders& headers) {
  if (headers.version.empty()) return Mismatch("MCP-Protocol-Version", "", kMcpVersion);
  const JsonValue* capabilities = FindMeta(message, "clientCapabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    return MissingMeta("clientCapabilities", "an object");
  }
  if (headers.method != message.method) {
    return Mismatch("Mcp-Method", headers.method, message.method.substr(0, kMaxShownBytes));
  }
  if (message.method != "tools/call") return std::nullopt;
  const JsonValue* name = message.params.Find("name");
  if (name == nullptr || !name->is_string()) return std::nullopt;  // an error of the method
  if (headers.name.empty() || DecodeHeaderValue(headers.name) != name->as_string()) {
    return Mismatch("Mcp-Name", headers.name, name->as_string().substr(0, kMaxShownBytes));
  }
  return std::nullopt;
}

/// Which revision the message follows: the body decides, the header must agree.
std::optional<McpError> CheckVersion(const McpHeaders& headers, McpMessage& message) {
  const JsonValue* claim = FindMeta(message, "protocolVersion");
  const bool is_request = !message.id.empty();
  if (claim == nullptr) {
    message.has_handshake = headers.version != kMcpVersion || message.method == "initialize";
    if (!message.has_handshake && is_request) {
      return MissingMeta("protocolVersion", "a protocol version");
    }
    const bool is_known = headers.version.empty() || headers.version == kMcpVersion ||
                          IsHandshakeVersion(headers.version);
    if (!is_known) return UnsupportedVersion(headers.version);
    return std::nullopt;
  }
  if (!claim->is_string()) return MissingMeta("protocolVersion", "a protocol version");
  const std::string& version = claim->as_string();
  if (!headers.version.empty() && headers.version != version) {
    return Mismatch("MCP-Protocol-Version", headers.version, version.substr(0, kMaxShownBytes));
  }
  message.has_handshake = IsHandshakeVersion(version);
  if (message.has_handshake) return std::nullopt;
  if (version != kMcpVersion) return UnsupportedVersion(version);
  if (!is_request) return std::nullopt;
  return CheckRequest(message, headers);
}

}  // namespace

std::string UnsupportedVersionData(std::string_view requested) {
  catalog::JsonWriter writer;
  writer.BeginObject().Key("supported").BeginArray().String(kMcpVersion);
  for (const std::string_view version : kMcpHandshakeVersions) writer.String(version);
  writer.EndArray().Member("requested", requested.substr(0, kMaxShownBytes));
  return writer.EndObject().Take();
}

McpReading ReadMcpMessage(std::string_view body, const McpHeaders& headers) {
  McpReading reading;
  catalog::JsonLimits limits;
  limits.max_bytes = kMaxBytes;
  limits.max_depth = kMaxDepth;
  limits.max_nodes = kMaxNodes;
  const auto value = catalog::ParseJson(body, limits);
  if (!value.ok()) {
    reading.error =
        Refusal(mcp_code::kParseError, "body: " + std::string(value.status().message()));
    return reading;
  }
  reading.error = ReadShape(*value, reading.message);
  if (!reading.error) reading.error = CheckVersion(headers, reading.message);
  return reading;
}

}  // namespace emptor::services
