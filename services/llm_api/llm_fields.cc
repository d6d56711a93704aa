// Fields that several of the generation APIs have.
#include "services/llm_api/llm_fields.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <random>

#include "services/llm_api/openai_request.h"

namespace emptor::services {

using catalog::JsonValue;

absl::StatusOr<JsonValue> ParseLlmBody(std::string_view json) {
  catalog::JsonLimits limits;
  limits.max_bytes = kMaxLlmBodyBytes;
  limits.max_depth = 32;
  limits.max_nodes = 300000;
  auto value = catalog::ParseJson(json, limits);
  if (!value.ok()) return InvalidField("body", std::string(value.status().message()));
  return value;
}

void ReadStop(ObjectReader& reader, engine::SamplingParams& sampling) {
  const JsonValue* stop = reader.Find("stop");
  if (stop == nullptr) return;
  if (stop->is_string()) {
    sampling.stop = {stop->as_string()};
    if (stop->as_string().empty()) reader.Fail("stop", "must not be empty");
    return;
  }
  reader.Texts("stop", sampling.stop);
}

void ReadLogitBias(ObjectReader& reader, engine::SamplingParams& sampling) {
  const JsonValue* bias = reader.Find("logit_bias");
  if (bias == nullptr) return;
  if (!bias->is_object()) return reader.Expected("logit_bias", "an object", *bias);
  if (bias->as_object().size() > 1024) return reader.Fail("logit_bias", "more than 1024 tokens");
  for (const catalog::JsonMember& member : bias->as_object()) {
    int32_t token = 0;
    const char* end = member.name.data() + member.name.size();
    const auto read = std::from_chars(member.name.data(), end, token);
    if (read.ec != std::errc() || read.ptr != end || token < 0) {
      return reader.Fail("logit_bias", fmt::format("expected token ids as names, found \"{}\"",
                                                   member.name.substr(0, 64)));
    }
    const bool is_good = member.value.is_number() && member.value.as_double() >= -100 &&
                         member.value.as_double() <= 100;
    if (!is_good) return reader.Fail("logit_bias", "expected numbers from -100 to 100");
    sampling.logit_bias.emplace_back(token, static_cast<float>(member.value.as_double()));
  }
}

void ReadTokens(const JsonValue& value, std::string_view where, ObjectReader& reader,
                std::vector<int32_t>& out) {
  if (value.as_array().empty()) return reader.Fail(where, "must not be empty");
  for (const JsonValue& token : value.as_array()) {
    const bool is_good = token.is_int() && token.as_int() >= 0 &&
                         token.as_int() <= std::numeric_limits<int32_t>::max();
    if (!is_good) return reader.Fail(where, "expected token ids");
    out.push_back(static_cast<int32_t>(token.as_int()));
  }
}

uint64_t DrawSeed() {
  std::random_device device;
  // 53 bits, so that it survives clients whose numbers are doubles.
  return (uint64_t{device()} << 21 ^ device()) & ((uint64_t{1} << 53) - 1);
}

}  // namespace emptor::services
