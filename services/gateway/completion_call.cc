// The few fields that matter here.
#include "services/gateway/completion_call.h"

#include <algorithm>

#include "catalog/encoding/hash64.h"
#include "catalog/encoding/json.h"
#include "services/api/object_reader.h"
#include "services/gateway/balancing/prefix_table.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kMaxName = 256;
constexpr int kMaxTokens = 1 << 24;
/// Bytes of a token, on average, of the vocabularies of today's models.
constexpr double kBytesPerToken = 4;

absl::StatusOr<JsonValue> Parse(std::string_view body) {
  auto value = catalog::ParseJson(
      body, {.max_bytes = kMaxCompletionBody, .max_depth = 32, .max_nodes = 300000});
  if (!value.ok()) return InvalidField("body", std::string(value.status().message()));
  if (!value->is_object()) return InvalidField("body", "expected an object");
  return value;
}

/// The texts of a message or a prompt, in order.
void AppendText(const JsonValue& value, std::string& text, int depth = 0) {
  if (value.is_string()) {
    text += value.as_string();
    text += '\n';
  } else if (value.is_int()) {
    text += std::to_string(value.as_int());
    text += ' ';
  } else if (value.is_array() && depth < 4) {
    for (const JsonValue& each : value.as_array()) AppendText(each, text, depth + 1);
  } else if (value.is_object() && depth < 4) {
    for (const catalog::JsonMember& member : value.as_object()) {
      AppendText(member.value, text, depth + 1);
    }
  }
}

void ReadPriority(ObjectReader& reader, PriorityClass& priority) {
  const JsonValue* given = reader.Find("priority");
  if (given == nullptr) return;
  const std::string name = given->is_string() ? given->as_string() : "";
  if (given->is_int()) {  // vLLM's: lower is earlier
    const int64_t value = given->as_int();
    priority = value < 0    ? PriorityClass::kInteractive
               : value == 0 ? PriorityClass::kStandard
                            : PriorityClass::kBatch;
  } else if (name == "interactive") {
    priority = PriorityClass::kInteractive;
  } else if (name == "batch") {
    priority = PriorityClass::kBatch;
  } else if (name != "standard") {
    reader.Fail("priority", "expected interactive, standard or batch, or a whole number");
  }
}

void ReadPrompt(ObjectReader& reader, CompletionCall& call, const PromptBlockSizes& sizes) {
  const char* name = call.chat ? "messages" : "prompt";
  const JsonValue* prompt = reader.Find(name);
  if (prompt == nullptr) return reader.Fail(name, "missing");
  if (call.chat && !prompt->is_array()) return reader.Expected(name, "an array", *prompt);
  std::string text;
  AppendText(*prompt, text);
  DispatchRequest& dispatch = call.dispatch;
  dispatch.prompt_tokens = std::max(1.0, static_cast<double>(text.size()) / kBytesPerToken);
  dispatch.blocks = PromptBlocks(text, sizes.block_bytes, sizes.max_blocks);
  dispatch.block_tokens = static_cast<double>(sizes.block_bytes) / kBytesPerToken;
}

}  // namespace

absl::StatusOr<CompletionCall> ReadCompletionCall(std::string_view body, bool chat,
                                                  const PromptBlockSizes& sizes) {
  const auto json = Parse(body);
  if (!json.ok()) return json.status();
  ObjectReader reader(*json, "");
  CompletionCall call{.chat = chat};
  reader.Text("model", kMaxName, call.model);
  reader.Flag("stream", call.stream);
  int max_tokens = 0;
  reader.Integer("max_tokens", 0, kMaxTokens, max_tokens);
  reader.Integer("max_completion_tokens", 0, kMaxTokens, max_tokens);
  call.dispatch.max_tokens = max_tokens;
  std::string session;
  reader.Text("user", kMaxName, session);
  reader.Text("conversation_id", kMaxName, session);
  if (!session.empty()) call.dispatch.session = catalog::Hash64(session, 1);
  ReadPriority(reader, call.dispatch.priority);
  ReadPrompt(reader, call, sizes);
  if (!reader.ok()) return reader.status();
  call.dispatch.digest = catalog::Hash64(body, 2);
  return call;
}

std::string WithModel(std::string_view body, std::string_view model) {
  const auto json = Parse(body);
  if (!json.ok() || !json->is_object()) return std::string(body);
  catalog::JsonWriter writer;
  writer.BeginObject().Member("model", model);
  for (const catalog::JsonMember& member : json->as_object()) {
    if (member.name != "model") writer.Key(member.name).Value(member.value);
  }
  writer.EndObject();
  return writer.Take();
}

}  // namespace emptor::services
