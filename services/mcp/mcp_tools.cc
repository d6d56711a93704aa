// Schemas of /openapi.json made part of the tools that refer to them.
#include "services/mcp/mcp_tools.h"

#include <cassert>
#include <set>
#include <vector>

#include "catalog/encoding/json.h"
#include "services/api/openapi_text.h"
#include "services/mcp/mcp_tools_text.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using catalog::JsonWriter;

constexpr std::string_view kReference = "#/components/schemas/";

JsonValue Parse(std::string_view text) {
  catalog::JsonLimits limits;
  limits.max_bytes = 4u << 20;
  auto value = catalog::ParseJson(text, limits);
  assert(value.ok());
  return *std::move(value);
}

/// The name of the schema that `member` refers to; empty: it is no such reference.
std::string_view ReferenceOf(const catalog::JsonMember& member) {
  if (member.name != "$ref" || !member.value.is_string()) return {};
  const std::string_view target = member.value.as_string();
  return target.starts_with(kReference) ? target.substr(kReference.size()) : std::string_view();
}

/// Writes schemas whose references lead to their own `$defs`.
class SchemaWriter {
 public:
  SchemaWriter(const JsonValue& schemas, JsonWriter& writer) : schemas_(schemas), writer_(writer) {}

  /// The schema, or what it refers to, with all that it needs. A client expects `type` at its top.
  void WriteWhole(const JsonValue& schema) {
    const JsonValue* top = &schema;
    if (schema.as_object().size() == 1) {
      const std::string_view name = ReferenceOf(schema.as_object().front());
      if (!name.empty()) top = Find(name);
    }
    writer_.BeginObject();
    WriteMembers(*top);
    if (!waiting_.empty()) WriteDefinitions();
    writer_.EndObject();
  }

 private:
  const JsonValue* Find(std::string_view name) const {
    const JsonValue* found = schemas_.Find(name);
    assert(found != nullptr);
    return found;
  }

  void WriteDefinitions() {
    writer_.Key("$defs").BeginObject();
    while (!waiting_.empty()) {
      const std::string name = waiting_.back();
      waiting_.pop_back();
      writer_.Key(name);
      Write(*Find(name));
    }
    writer_.EndObject();
  }

  void WriteMembers(const JsonValue& schema) {
    for (const catalog::JsonMember& member : schema.as_object()) {
      const std::string name(ReferenceOf(member));
      writer_.Key(member.name);
      if (name.empty()) {
        Write(member.value);
        continue;
      }
      writer_.String("#/$defs/" + name);
      if (known_.insert(name).second) waiting_.push_back(name);
    }
  }

  void Write(const JsonValue& value) {
    if (value.is_object()) {
      writer_.BeginObject();
      WriteMembers(value);
      writer_.EndObject();
    } else if (value.is_array()) {
      writer_.BeginArray();
      for (const JsonValue& each : value.as_array()) Write(each);
      writer_.EndArray();
    } else {
      writer_.Value(value);
    }
  }

  const JsonValue& schemas_;
  JsonWriter& writer_;
  std::set<std::string> known_;
  std::vector<std::string> waiting_;  // referred to and not written yet
};

std::string MakeTools() {
  const JsonValue api = Parse(OpenApiText());
  const JsonValue text = Parse(McpToolsText());
  const JsonValue& schemas = *api.Find("components")->Find("schemas");
  JsonWriter writer;
  writer.BeginArray();
  for (const JsonValue& tool : text.Find("tools")->as_array()) {
    writer.BeginObject();
    for (const auto& [name, value] : tool.as_object()) {
      writer.Key(name);
      if (name == "inputSchema" || name == "outputSchema") {
        SchemaWriter(schemas, writer).WriteWhole(value);
      } else {
        writer.Value(value);
      }
    }
    writer.EndObject();
  }
  return writer.EndArray().Take();
}

}  // namespace

const std::string& McpToolsJson() {
  static const std::string tools = MakeTools();
  return tools;
}

std::string_view McpInstructions() {
  static const std::string instructions = Parse(McpToolsText()).Find("instructions")->as_string();
  return instructions;
}

}  // namespace emptor::services
