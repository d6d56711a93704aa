// Reading the bodies of the OpenAI-compatible routes.
#include "services/llm_api/openai_request.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "catalog/encoding/json.h"
#include "services/api/object_reader.h"
#include "services/api/request_codec.h"
#include "services/llm_api/llm_fields.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using engine::GenerationRequest;
using engine::OutputFormat;
using engine::SamplingParams;

constexpr size_t kMaxTurns = 1024, kMaxTextBytes = kMaxLlmBodyBytes, kMaxNameBytes = 256;
constexpr int kMaxTimeoutMs = 24 * 3600 * 1000;

std::string JsonText(const JsonValue& value) {
  catalog::JsonWriter writer;
  writer.Value(value);
  return writer.Take();
}

// ---- Output formats

/// A regular expression that matches one of the texts.
std::string AnyOf(const std::vector<std::string>& texts) {
  std::string pattern = "(";
  for (const std::string& text : texts) {
    if (pattern.size() > 1) pattern += '|';
    for (const char c : text) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
  }
  return pattern + ")";
}

void ReadSchema(const JsonValue& schema, std::string_view where, ObjectReader& reader,
                OutputFormat& format) {
  format.kind = OutputFormat::Kind::kJsonSchema;
  if (schema.is_string()) {
    format.definition = schema.as_string();
  } else if (schema.is_object() || schema.is_bool()) {
    format.definition = JsonText(schema);
  } else {
    reader.Expected(where, "a JSON schema", schema);
  }
}

/// OpenAI's `json_schema`.
void ReadNamedSchema(ObjectReader& reader, OutputFormat& format) {
  const JsonValue* named = reader.Find("json_schema");
  if (named == nullptr) return reader.Fail("json_schema", "missing");
  ObjectReader schema(*named, "response_format.json_schema");
  schema.Allow({"name", "description", "schema", "strict"});
  const JsonValue* body = schema.Find("schema");
  if (body == nullptr) schema.Fail("schema", "missing");
  if (body != nullptr) ReadSchema(*body, "schema", schema, format);
  reader.Take(schema.status());
}

/// OpenAI's types; TGI's "json" and "regex", with their definition in `value`, as huggingface_hub
/// sends them.
void ReadResponseFormat(ObjectReader& reader, OutputFormat& format) {
  const JsonValue* given = reader.Find("response_format");
  if (given == nullptr) return;
  ObjectReader inner(*given, "response_format");
  inner.Allow({"type", "json_schema", "schema", "value"});
  std::string type;
  inner.Text("type", 32, type);
  const std::string_view key = inner.Find("schema") != nullptr ? "schema" : "value";
  const JsonValue* schema = inner.Find(key);
  if (type == "json_schema" && schema == nullptr) {
    ReadNamedSchema(inner, format);
  } else if (type == "json_object" || type == "json" || type == "json_schema") {
    format.kind = OutputFormat::Kind::kJsonObject;
    if (schema != nullptr) ReadSchema(*schema, key, inner, format);
  } else if (type == "regex") {
    format.kind = OutputFormat::Kind::kRegex;
    inner.Text("value", 64 * 1024, format.definition);
    if (format.definition.empty()) inner.Fail("value", "missing");
  } else if (type != "text") {
    inner.Fail("type", "expected text, json_object, json_schema, json or regex");
  }
  reader.Take(inner.status());
}

/// vLLM's forms: {"json"|"regex"|"choice"|"json_object"}, alone or in `structured_outputs`.
void ReadConstraint(ObjectReader& from, const std::string& prefix, OutputFormat& format) {
  int found = format.kind == OutputFormat::Kind::kText ? 0 : 1;
  if (const JsonValue* schema = from.Find(prefix + "json")) {
    ReadSchema(*schema, prefix + "json", from, format);
    ++found;
  }
  std::string regex;
  from.Text(prefix + "regex", 64 * 1024, regex);
  if (!regex.empty()) {
    format = {OutputFormat::Kind::kRegex, regex};
    ++found;
  }
  std::vector<std::string> choice;
  from.Texts(prefix + "choice", choice);
  if (!choice.empty()) {
    format = {OutputFormat::Kind::kRegex, AnyOf(choice)};
    ++found;
  }
  bool json_object = false;
  from.Flag(prefix + "json_object", json_object);
  if (json_object) {
    format.kind = OutputFormat::Kind::kJsonObject;
    ++found;
  }
  if (from.Find(prefix + "grammar") != nullptr) {
    from.Refuse(prefix + "grammar", "use json, regex or choice");
  }
  if (found > 1) from.Fail("", "more than one constraint on the output");
}

void ReadFormat(ObjectReader& reader, OutputFormat& format) {
  ReadResponseFormat(reader, format);
  ReadConstraint(reader, "guided_", format);
  const JsonValue* structured = reader.Find("structured_outputs");
  if (structured == nullptr) return;
  ObjectReader inner(*structured, "structured_outputs");
  inner.Allow({"json", "regex", "choice", "json_object", "grammar"});
  ReadConstraint(inner, "", format);
  reader.Take(inner.status());
}

// ---- Fields of both kinds of requests

void ReadPriority(ObjectReader& reader, GenerationRequest& request) {
  const JsonValue* priority = reader.Find("priority");
  if (priority == nullptr) return;
  if (priority->is_int()) {  // vLLM's: lower is earlier
    request.priority =
        priority->as_int() > 0 ? engine::Priority::kBatch : engine::Priority::kInteractive;
  } else if (priority->is_string() && priority->as_string() == "batch") {
    request.priority = engine::Priority::kBatch;
  } else if (!priority->is_string() || priority->as_string() != "interactive") {
    reader.Fail("priority", "expected interactive or batch, or a whole number");
  }
}

void ReadSampling(ObjectReader& reader, SamplingParams& sampling) {
  sampling.temperature = 1;
  reader.Number("temperature", 0, 2, sampling.temperature);
  reader.Number("top_p", 0, 1, sampling.top_p);
  if (reader.ok() && sampling.top_p == 0) reader.Fail("top_p", "must be above 0");
  reader.Number("min_p", 0, 1, sampling.min_p);
  reader.Integer("top_k", -1, 1 << 20, sampling.top_k);
  if (sampling.top_k < 0) sampling.top_k = 0;  // both mean: off
  reader.Number("presence_penalty", -2, 2, sampling.presence_penalty);
  reader.Number("frequency_penalty", -2, 2, sampling.frequency_penalty);
  reader.Number("repetition_penalty", 0.01, 10, sampling.repetition_penalty);
  reader.Integer("min_tokens", 0, kMaxNewTokens, sampling.min_tokens);
  reader.Flag("ignore_eos", sampling.ignore_end);
  std::optional<int64_t> seed;
  reader.Integer("seed", INT64_MIN, INT64_MAX, seed);
  sampling.seed = seed ? static_cast<uint64_t>(*seed) : DrawSeed();
  ReadStop(reader, sampling);
  ReadLogitBias(reader, sampling);
  if (const JsonValue* tokens = reader.Find("stop_token_ids")) {
    if (!tokens->is_array()) return reader.Expected("stop_token_ids", "an array", *tokens);
    if (tokens->as_array().size() > 64) return reader.Fail("stop_token_ids", "more than 64");
    if (!tokens->as_array().empty()) {
      ReadTokens(*tokens, "stop_token_ids", reader, sampling.stop_tokens);
    }
  }
}

void ReadStreaming(ObjectReader& reader, TextBody& body) {
  reader.Flag("stream", body.stream);
  const JsonValue* options = reader.Find("stream_options");
  if (options == nullptr) return;
  if (reader.ok() && !body.stream) return reader.Fail("stream_options", "only with stream: true");
  ObjectReader inner(*options, "stream_options");
  inner.Allow({"include_usage", "include_obfuscation"});
  inner.Flag("include_usage", body.include_usage);
  reader.Take(inner.status());
}

/// Everything but prompt, messages and logprobs.
void ReadCommon(ObjectReader& reader, TextBody& body, GenerationRequest& request) {
  reader.Text("model", kMaxNameBytes, body.model);
  ReadStreaming(reader, body);
  reader.Integer("n", 1, kMaxChoices, request.n);
  request.max_tokens = 0;
  reader.Integer("max_tokens", 1, kMaxNewTokens, request.max_tokens);
  ReadSampling(reader, request.sampling);
  ReadFormat(reader, request.format);
  ReadPriority(reader, request);
  reader.Text("user", kMaxNameBytes, request.tenant);
  reader.Text("cache_salt", kMaxNameBytes, request.cache_salt);
  std::optional<int64_t> timeout;
  reader.Integer("deadline_ms", 1, kMaxTimeoutMs, timeout);
  if (timeout) body.timeout = std::chrono::milliseconds(*timeout);
}

/// OpenAI fields that request unsupported features; empty values are accepted.
void RefuseUnsupported(ObjectReader& reader, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const JsonValue* value = reader.Find(name);
    if (value == nullptr) continue;
    const bool asks_nothing = (value->is_array() && value->as_array().empty()) ||
                              (value->is_bool() && !value->as_bool()) ||
                              (value->is_string() && value->as_string().empty());
    if (!asks_nothing) return reader.Refuse(name);
  }
}

// ---- Chat

/// Text, or parts of it.
void ReadContent(const JsonValue& message, ObjectReader& reader, std::string& out) {
  const JsonValue* content = message.Find("content");
  if (content == nullptr || content->is_null()) return;
  if (content->is_string()) {
    out = content->as_string();
    return;
  }
  if (!content->is_array()) return reader.Expected("content", "a string or an array", *content);
  for (const JsonValue& part : content->as_array()) {
    const JsonValue* type = part.Find("type");
    const JsonValue* text = part.Find("text");
    if (type == nullptr || !type->is_string()) return reader.Fail("content", "a part has no type");
    if (type->as_string() != "text") {
      return reader.Refuse("content",
                           fmt::format("parts of type {} are not supported", type->as_string()));
    }
    if (text == nullptr || !text->is_string()) return reader.Fail("content", "a part has no text");
    out += text->as_string();
  }
}

void ReadMessage(const JsonValue& value, const std::string& where, ObjectReader& reader,
                 TextBody& body) {
  ObjectReader inner(value, where);
  inner.Allow({"role", "content", "name", "refusal", "tool_calls", "audio", "annotations"});
  engine::ChatMessage message;
  inner.Text("role", 32, message.role);
  if (message.role == "developer") message.role = "system";
  if (inner.ok() && message.role != "system" && message.role != "user" &&
      message.role != "assistant") {
    inner.Fail("role", "expected system, developer, user or assistant");
  }
  RefuseUnsupported(inner, {"tool_calls", "audio"});
  if (inner.ok()) ReadContent(value, inner, message.content);
  if (inner.ok() && message.content.empty() && message.role == "user") {
    inner.Fail("content", "must not be empty");
  }
  reader.Take(inner.status());
  if (message.role == "user") body.question = message.content;
  body.requests.front().messages.push_back(std::move(message));
}

void ReadMessages(ObjectReader& reader, TextBody& body) {
  const JsonValue* messages = reader.Find("messages");
  if (!reader.ok()) return;
  if (messages == nullptr) return reader.Fail("messages", "missing");
  if (!messages->is_array()) return reader.Expected("messages", "an array", *messages);
  const JsonValue::Array& all = messages->as_array();
  if (all.empty()) return reader.Fail("messages", "must not be empty");
  if (all.size() > kMaxTurns) return reader.Fail("messages", "more than 1024");
  for (size_t i = 0; i < all.size() && reader.ok(); ++i) {
    ReadMessage(all[i], fmt::format("messages[{}]", i), reader, body);
  }
}

void ReadChatLogprobs(ObjectReader& reader, SamplingParams& sampling) {
  bool wanted = false;
  int top = -1;
  reader.Flag("logprobs", wanted);
  reader.Integer("top_logprobs", 0, 20, top);
  if (reader.ok() && top > 0 && !wanted) reader.Fail("top_logprobs", "only with logprobs: true");
  if (wanted) sampling.logprobs = std::max(top, 0);
}

void NoteWhatTheAssistantLacks(const GenerationRequest& request, TextBody& body) {
  if (request.n > 1) body.not_for_assistant = "n";
  if (request.sampling.logprobs) body.not_for_assistant = "logprobs";
  if (!request.sampling.stop.empty()) body.not_for_assistant = "stop";
  if (request.format.kind != OutputFormat::Kind::kText) body.not_for_assistant = "response_format";
}

// ---- Completions

void ReadPrompts(ObjectReader& reader, TextBody& body) {
  const JsonValue* prompt = reader.Find("prompt");
  if (!reader.ok()) return;
  if (prompt == nullptr) return reader.Fail("prompt", "missing");
  const GenerationRequest base = body.requests.front();
  body.requests.clear();
  const auto add = [&](const JsonValue& value) {
    GenerationRequest& request = body.requests.emplace_back(base);
    if (value.is_string()) {
      request.prompt = value.as_string();
      if (request.prompt.empty()) reader.Fail("prompt", "must not be empty");
    } else if (value.is_array()) {
      ReadTokens(value, "prompt", reader, request.prompt_tokens);
    } else {
      reader.Expected("prompt", "a string, strings, tokens or arrays of tokens", value);
    }
  };
  if (!prompt->is_array()) return add(*prompt);
  const JsonValue::Array& all = prompt->as_array();
  if (all.empty()) return reader.Fail("prompt", "must not be empty");
  if (all.front().is_number()) return add(*prompt);
  if (all.size() > kMaxPrompts) return reader.Fail("prompt", "more than 64 prompts");
  for (const JsonValue& one : all) {
    if (!reader.ok()) return;
    add(one);
  }
}

}  // namespace

absl::StatusOr<TextBody> ParseChatBody(std::string_view json) {
  const auto value = ParseLlmBody(json);
  if (!value.ok()) return value.status();
  TextBody body;
  body.chat = true;
  GenerationRequest& request = body.requests.emplace_back();
  ObjectReader reader(*value, "");
  reader.Allow(
      {"model", "messages", "stream", "stream_options", "n", "max_tokens", "max_completion_tokens",
       "temperature", "top_p", "min_p", "top_k", "presence_penalty", "frequency_penalty",
       "repetition_penalty", "min_tokens", "ignore_eos", "seed", "stop", "stop_token_ids",
       "logit_bias", "logprobs", "top_logprobs", "response_format", "structured_outputs",
       "guided_json", "guided_regex", "guided_choice", "guided_json_object", "guided_grammar",
       "priority", "user", "cache_salt", "deadline_ms", "conversation_id", "locale",
       // Known, without effect:
       "store", "metadata", "service_tier", "parallel_tool_calls", "safety_identifier",
       "prompt_cache_key", "reasoning_effort", "verbosity", "modalities", "tool_choice",
       // Known, refused unless empty:
       "tools", "functions", "function_call", "audio", "prediction", "web_search_options", "echo"});
  RefuseUnsupported(reader, {"tools", "functions", "function_call", "audio", "prediction",
                             "web_search_options", "echo"});
  ReadCommon(reader, body, request);
  reader.Integer("max_completion_tokens", 1, kMaxNewTokens, request.max_tokens);
  ReadChatLogprobs(reader, request.sampling);
  ReadMessages(reader, body);
  if (reader.Find("conversation_id") != nullptr) {
    ReadConversationId(reader, body.conversation_id.emplace());
  }
  reader.Text("locale", 35, body.locale);
  if (!reader.ok()) return reader.status();
  NoteWhatTheAssistantLacks(request, body);
  return body;
}

absl::StatusOr<TextBody> ParseCompletionBody(std::string_view json) {
  const auto value = ParseLlmBody(json);
  if (!value.ok()) return value.status();
  TextBody body;
  GenerationRequest& request = body.requests.emplace_back();
  ObjectReader reader(*value, "");
  reader.Allow({"model",
                "prompt",
                "stream",
                "stream_options",
                "n",
                "best_of",
                "max_tokens",
                "temperature",
                "top_p",
                "min_p",
                "top_k",
                "presence_penalty",
                "frequency_penalty",
                "repetition_penalty",
                "min_tokens",
                "ignore_eos",
                "seed",
                "stop",
                "stop_token_ids",
                "logit_bias",
                "logprobs",
                "response_format",
                "structured_outputs",
                "guided_json",
                "guided_regex",
                "guided_choice",
                "guided_json_object",
                "guided_grammar",
                "priority",
                "user",
                "cache_salt",
                "deadline_ms",
                "suffix",
                "echo"});
  RefuseUnsupported(reader, {"suffix", "echo"});
  ReadCommon(reader, body, request);
  if (request.max_tokens == 0) request.max_tokens = 16;  // as OpenAI's
  int best_of = request.n;
  reader.Integer("best_of", 1, kMaxChoices, best_of);
  if (reader.ok() && best_of != request.n) {
    reader.Refuse("best_of", "only the same number as n is supported");
  }
  std::optional<int64_t> logprobs;
  reader.Integer("logprobs", 0, 20, logprobs);
  if (logprobs) request.sampling.logprobs = static_cast<int>(*logprobs);
  ReadPrompts(reader, body);
  if (!reader.ok()) return reader.status();
  return body;
}

absl::StatusOr<EmbeddingBody> ParseEmbeddingBody(std::string_view json) {
  const auto value = ParseLlmBody(json);
  if (!value.ok()) return value.status();
  EmbeddingBody body;
  ObjectReader reader(*value, "");
  reader.Allow({"model", "input", "encoding_format", "dimensions", "input_type", "user"});
  reader.Text("model", kMaxNameBytes, body.model);
  reader.Integer("dimensions", 1, 1 << 16, body.dimensions);
  std::string encoding = "float", input_type = "passage", user;
  reader.Text("input_type", 16, input_type);
  if (input_type != "query" && input_type != "passage" && input_type != "document") {
    reader.Fail("input_type", "expected query, passage or document");
  }
  body.queries = input_type == "query";
  reader.Text("encoding_format", 16, encoding);
  reader.Text("user", kMaxNameBytes, user);
  if (encoding != "float" && encoding != "base64") {
    reader.Fail("encoding_format", "expected float or base64");
  }
  body.base64 = encoding == "base64";
  const JsonValue* input = reader.Find("input");
  if (!reader.ok()) return reader.status();
  if (input == nullptr) return InvalidField("input", "missing");
  JsonValue::Array one;
  if (input->is_string()) one.push_back(*input);
  const bool is_tokens =
      input->is_array() && !input->as_array().empty() && input->as_array().front().is_number();
  if (is_tokens) one.push_back(*input);
  if (one.empty() && !input->is_array()) reader.Expected("input", "a string or an array", *input);
  const JsonValue::Array& all = one.empty() && input->is_array() ? input->as_array() : one;
  if (reader.ok() && all.empty()) reader.Fail("input", "must not be empty");
  if (all.size() > kMaxInputs) reader.Fail("input", "more than 2048");
  for (const JsonValue& item : all) {
    if (item.is_string()) {
      body.texts.push_back(item.as_string());
      if (item.as_string().empty()) reader.Fail("input", "must not hold an empty string");
    } else if (item.is_array()) {
      ReadTokens(item, "input", reader, body.tokens.emplace_back());
    } else {
      reader.Expected("input", "strings or arrays of tokens", item);
    }
  }
  if (!body.texts.empty() && !body.tokens.empty()) reader.Fail("input", "both texts and tokens");
  if (!reader.ok()) return reader.status();
  return body;
}

absl::StatusOr<std::chrono::milliseconds> ParseTimeoutHeader(std::string_view value) {
  double seconds = 0;
  const char* end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, seconds);
  const bool is_good = read.ec == std::errc() && read.ptr == end && std::isfinite(seconds) &&
                       seconds > 0 && seconds * 1000 <= kMaxTimeoutMs;
  if (!is_good) return InvalidField("x-request-timeout", "expected seconds, such as 2.5");
  return std::chrono::milliseconds(std::max<int64_t>(1, std::llround(seconds * 1000)));
}

}  // namespace emptor::services
