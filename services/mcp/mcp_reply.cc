// JSON-RPC responses.
#include "services/mcp/mcp_reply.h"

#include <utility>

#include "services/api/api_errors.h"
#include "services/api/version.h"
#include "services/http/forwarding_exchange.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using catalog::JsonWriter;

Response MakeJson(int status, std::string body) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  return response;
}

void WriteText(std::string_view text, JsonWriter& writer) {
  writer.BeginObject().Member("type", "text").Member("text", text).EndObject();
}

std::string_view TextOf(const JsonValue& object, std::string_view name) {
  const JsonValue* member = object.Find(name);
  return member != nullptr && member->is_string() ? std::string_view(member->as_string())
                                                  : std::string_view();
}

/// Of another form than JSON-RPC: the members of `error` become `message` and `data`.
void RewriteError(const Request&, Response& response) {
  const auto body = catalog::ParseJson(response.body);
  if (!body.ok() || body->Find("jsonrpc") != nullptr) return;
  const JsonValue* error = body->Find("error");
  if (error == nullptr || !error->is_object()) return;
  McpError rpc{response.status, response.status, std::string(TextOf(*error, "message"))};
  JsonWriter data;
  data.Value(*error);
  rpc.data = data.Take();
  response.body = MakeMcpError(rpc, "").body;
}

}  // namespace

void WriteServerInfo(JsonWriter& writer) {
  writer.BeginObject().Member("name", "emptor").Member("title", "Emptor, an online shop");
  writer.Member("version", kVersion).EndObject();
}

Response MakeMcpResult(const McpMessage& message,
                       const std::function<void(JsonWriter&)>& write_members) {
  JsonWriter writer;
  writer.BeginObject().Member("jsonrpc", "2.0").Key("id").Raw(message.id);
  writer.Key("result").BeginObject();
  if (!message.has_handshake) {
    writer.Member("resultType", "complete");
    writer.Key("_meta").BeginObject().Key("io.modelcontextprotocol/serverInfo");
    WriteServerInfo(writer);
    writer.EndObject();
  }
  write_members(writer);
  writer.EndObject().EndObject();
  return MakeJson(200, writer.Take());
}

Response MakeToolResult(const McpMessage& message, std::string_view text, const std::string& json) {
  return MakeMcpResult(message, [&](JsonWriter& writer) {
    writer.Key("content").BeginArray();
    WriteText(text, writer);
    WriteText(json, writer);
    writer.EndArray().Key("structuredContent").Raw(json).Member("isError", false);
  });
}

Response MakeToolError(const McpMessage& message, std::string_view text) {
  return MakeMcpResult(message, [&](JsonWriter& writer) {
    writer.Key("content").BeginArray();
    WriteText(text, writer);
    writer.EndArray().Member("isError", true);
  });
}

Response MakeMcpError(const McpError& error, std::string_view id) {
  JsonWriter writer;
  writer.BeginObject().Member("jsonrpc", "2.0");
  if (!id.empty()) writer.Key("id").Raw(id);
  writer.Key("error").BeginObject().Member("code", error.code).Member("message", error.message);
  if (!error.data.empty()) writer.Key("data").Raw(error.data);
  writer.EndObject().EndObject();
  return MakeJson(error.http_status, writer.Take());
}

std::shared_ptr<Exchange> WithMcpErrors(std::shared_ptr<Exchange> exchange) {
  return std::make_shared<ErrorFormExchange>(std::move(exchange), RewriteError);
}

}  // namespace emptor::services
