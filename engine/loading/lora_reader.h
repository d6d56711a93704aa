// Reads LoRA adapters: GGUF files as llama.cpp's converter writes them, and folders as PEFT does.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/loading/gguf_file.h"
#include "engine/loading/safetensors.h"
#include "engine/model/lora_adapter.h"
#include "engine/model/model_config.h"

namespace emptor::engine {

/// The adapter at `path` for a base model of this shape: a GGUF file; a folder with
/// adapter_config.json and adapter_model.safetensors; or a folder with one GGUF file. Both kinds
/// fit both kinds of base model: the rows of queries and keys are put in the base model's order.
/// Errors: as GgufFile::Load, SafetensorsFile::Load and ReadJsonFile; kInvalidArgument (no adapter,
/// or one for another base: architecture, layers or shapes), kUnimplemented (a feature that the
/// engine does not compute; names it). Messages begin with the path.
absl::StatusOr<LoraAdapter> LoadLora(const std::string& path, const ModelConfig& base);

/// Whether a folder is one of PEFT's.
bool IsPeftFolder(const std::string& path);

/// Lines that describe the adapter at `path` without its base model: kind, base, rank, scale,
/// matrices. Errors: as those of the files.
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> DescribeLora(
    const std::string& path);

/// The adapter of a parsed file. Errors: as LoadLora.
absl::StatusOr<LoraAdapter> ReadGgufLora(const GgufFile& file, const ModelConfig& base);
/// The adapter of a PEFT folder at `path`, whose adapter_config.json has this text.
absl::StatusOr<LoraAdapter> ReadPeftLora(const std::string& path, std::string_view config,
                                         const SafetensorsFile& weights, const ModelConfig& base);

}  // namespace emptor::engine
