// Detects which encoder lies at a path.
#include "engine/encoder/text_encoder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

#include "engine/encoder/bert_encoder.h"
#include "engine/encoder/static_encoder.h"
#include "engine/loading/gguf_file.h"
#include "engine/loading/json_file.h"
#include "engine/loading/model_loader.h"

namespace emptor::engine {
namespace {

constexpr JsonLimits kLimits = {.max_bytes = 16u << 20};

/// config.json's model_type; "" without one.
absl::StatusOr<std::string> ModelType(const std::string& directory) {
  const absl::StatusOr<JsonTree> config = ReadJsonFile(directory + "/config.json", kLimits);
  if (!config.ok()) return config.status();
  const std::optional<JsonView> type = config->root().Find("model_type");
  return type && type->is_string() ? std::string(type->as_string()) : std::string();
}

template <typename Encoder>
absl::StatusOr<std::unique_ptr<TextEncoder>> Widen(
    absl::StatusOr<std::unique_ptr<Encoder>> encoder) {
  if (!encoder.ok()) return encoder.status();
  return std::unique_ptr<TextEncoder>(*std::move(encoder));
}

}  // namespace

absl::StatusOr<std::unique_ptr<TextEncoder>> TextEncoder::Load(const std::string& where,
                                                               const TextEncoderOptions& options) {
  const absl::StatusOr<std::string> model = FindModelPath(where);
  if (!model.ok()) return model.status();
  const std::string& path = *model;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    const absl::StatusOr<std::string> type = ModelType(path);
    if (!type.ok()) return type.status();
    if (*type == "model2vec" || type->empty()) return Widen(StaticEncoder::LoadDirectory(path));
    return BertEncoder::LoadDirectory(path, options);
  }
  std::string architecture;
  {
    const absl::StatusOr<std::unique_ptr<const GgufFile>> file = GgufFile::Load(path);
    if (!file.ok()) return file.status();
    const absl::StatusOr<std::string_view> found = (*file)->String("general.architecture");
    if (!found.ok()) return found.status();
    architecture = *found;
  }
  if (architecture == "bert") return BertEncoder::LoadGguf(path, options);
  return Widen(StaticEncoder::Load(path));
}

void NormalizeRow(std::span<float> row) {
  double squares = 0;
  for (const float value : row) squares += static_cast<double>(value) * static_cast<double>(value);
  if (!(squares > 0) || !std::isfinite(squares)) {
    std::fill(row.begin(), row.end(), 0.0f);
    return;
  }
  const auto scale = static_cast<float>(1.0 / std::sqrt(squares));
  for (float& value : row) value *= scale;
}

}  // namespace emptor::engine
