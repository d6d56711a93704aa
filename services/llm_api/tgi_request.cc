// Reading the bodies of the TGI-compatible routes.
#include "services/llm_api/tgi_request.h"

#include "catalog/encoding/json.h"
#include "services/llm_api/llm_fields.h"
#include "services/llm_api/openai_request.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using engine::OutputFormat;

constexpr int kDefaultNewTokens = 1024;
constexpr size_t kMaxStops = 4;

void ReadGrammar(ObjectReader& reader, OutputFormat& format) {
  const JsonValue* grammar = reader.Find("grammar");
  if (grammar == nullptr) return;
  ObjectReader inner(*grammar, "parameters.grammar");
  inner.Allow({"type", "value"});
  std::string type;
  inner.Text("type", 32, type);
  const JsonValue* value = inner.Find("value");
  if (inner.ok() && value == nullptr) inner.Fail("value", "missing");
  if (inner.ok() && type == "regex") {
    format.kind = OutputFormat::Kind::kRegex;
    inner.Text("value", 64 * 1024, format.definition);
  } else if (inner.ok() && (type == "json" || type == "json_schema")) {
    // "json_schema" wraps the schema as OpenAI's does: {"name","schema"}.
    const JsonValue* schema =
        value->Find("schema") != nullptr && type == "json_schema" ? value->Find("schema") : value;
    catalog::JsonWriter writer;
    writer.Value(*schema);
    format = {OutputFormat::Kind::kJsonSchema,
              schema->is_string() ? schema->as_string() : writer.Take()};
  } else if (inner.ok()) {
    inner.Fail("type", "expected json, json_schema or regex");
  }
  reader.Take(inner.status());
}

/// TGI fields that are not supported; their neutral values are accepted.
void RefuseUnsupported(ObjectReader& reader) {
  bool watermark = false, prompt_details = false;
  reader.Flag("watermark", watermark);
  reader.Flag("decoder_input_details", prompt_details);
  float typical_p = 1;
  reader.Number("typical_p", 0, 1, typical_p);
  int best_of = 1;
  reader.Integer("best_of", 1, 1 << 20, best_of);
  if (watermark) reader.Refuse("watermark");
  if (prompt_details) reader.Refuse("decoder_input_details");
  if (typical_p < 1) reader.Refuse("typical_p");
  if (best_of > 1) reader.Refuse("best_of");
  if (reader.Find("adapter_id") != nullptr) reader.Refuse("adapter_id");
}

void ReadSampling(ObjectReader& reader, engine::SamplingParams& sampling) {
  bool do_sample = false;
  reader.Flag("do_sample", do_sample);
  const bool samples = do_sample || reader.Find("temperature") != nullptr ||
                       reader.Find("top_p") != nullptr || reader.Find("top_k") != nullptr;
  sampling.temperature = samples ? 1.0f : 0.0f;
  reader.Number("temperature", 0.01, 100, sampling.temperature);
  reader.Number("top_p", 0.0001, 1, sampling.top_p);
  reader.Integer("top_k", 1, 1 << 20, sampling.top_k);
  reader.Number("repetition_penalty", 0.01, 10, sampling.repetition_penalty);
  reader.Number("frequency_penalty", -2, 2, sampling.frequency_penalty);
  std::optional<int64_t> seed;
  reader.Integer("seed", 0, INT64_MAX, seed);
  sampling.seed = seed ? static_cast<uint64_t>(*seed) : DrawSeed();
  reader.Texts("stop", sampling.stop);
  if (sampling.stop.size() > kMaxStops) reader.Fail("stop", "more than 4");
  int top_tokens = 0;
  reader.Integer("top_n_tokens", 0, 5, top_tokens);
  sampling.logprobs = top_tokens;
}

void ReadParameters(const JsonValue& value, TgiBody& body, ObjectReader& outer) {
  ObjectReader reader(value, "parameters");
  reader.Allow({"best_of", "temperature", "repetition_penalty", "frequency_penalty", "top_k",
                "top_p", "typical_p", "do_sample", "max_new_tokens", "return_full_text", "stop",
                "truncate", "watermark", "details", "decoder_input_details", "seed", "top_n_tokens",
                "grammar", "adapter_id"});
  RefuseUnsupported(reader);
  ReadSampling(reader, body.request.sampling);
  ReadGrammar(reader, body.request.format);
  reader.Integer("max_new_tokens", 1, kMaxNewTokens, body.request.max_tokens);
  reader.Flag("return_full_text", body.return_full_text);
  reader.Flag("details", body.details);
  reader.Integer("truncate", 1, kMaxNewTokens, body.truncate);
  outer.Take(reader.status());
}

}  // namespace

absl::StatusOr<TgiBody> ParseTgiBody(std::string_view json) {
  const auto value = ParseLlmBody(json);
  if (!value.ok()) return value.status();
  TgiBody body;
  body.request.max_tokens = kDefaultNewTokens;
  body.request.sampling.logprobs = 0;
  body.request.sampling.seed = DrawSeed();
  ObjectReader reader(*value, "");
  reader.Allow({"inputs", "parameters", "stream"});
  reader.Text("inputs", kMaxLlmBodyBytes, body.request.prompt);
  reader.Flag("stream", body.stream);
  if (const JsonValue* parameters = reader.Find("parameters")) {
    ReadParameters(*parameters, body, reader);
  }
  if (reader.ok() && body.request.prompt.empty()) reader.Fail("inputs", "must not be empty");
  if (!reader.ok()) return reader.status();
  return body;
}

}  // namespace emptor::services
