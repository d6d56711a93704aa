// Fields that several of the generation APIs have, read from JSON.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "engine/engine.h"
#include "services/api/object_reader.h"

namespace emptor::services {

/// A body of a generation API; bounds of size, depth and count as these need them.
absl::StatusOr<catalog::JsonValue> ParseLlmBody(std::string_view json);

/// "stop": one string or an array of them.
void ReadStop(ObjectReader& reader, engine::SamplingParams& sampling);

/// "logit_bias": {"50256": -100}; ids of the model's own tokenizer.
void ReadLogitBias(ObjectReader& reader, engine::SamplingParams& sampling);

/// An array of token ids.
void ReadTokens(const catalog::JsonValue& value, std::string_view where, ObjectReader& reader,
                std::vector<int32_t>& out);

/// A seed for a request that names none: another one each time.
uint64_t DrawSeed();

}  // namespace emptor::services
