// The tables of a Model2Vec directory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/loading/safetensors.h"

namespace emptor::engine {

/// Vectors of tokens by way of a mapping, and the tokens' weights.
struct Model2VecTables {
  std::unique_ptr<const SafetensorsFile> file;
  TensorView embeddings;         // [rows, dimension], in the file's memory
  std::vector<float> weights;    // by token, finite
  std::vector<int32_t> mapping;  // by token: its row

  /// From `directory`/model.safetensors, for a tokenizer of so many tokens. Errors: as
  /// SafetensorsFile::Load; kInvalidArgument (names the tensor), kUnimplemented (element type).
  static absl::StatusOr<Model2VecTables> Load(const std::string& directory, int tokens);
};

}  // namespace emptor::engine
