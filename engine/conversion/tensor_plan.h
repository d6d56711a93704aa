// The GGUF tensors of a model, from a source of either format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/model/model_config.h"
#include "engine/model/model_source.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// One tensor of the file: the rows of `parts`, one part after the other.
struct PlannedTensor {
  std::string name;
  std::vector<uint64_t> dims;  // fastest first
  std::vector<TensorView> parts;
  /// Not 0: in each head of so many rows, row i and row i + head / 2 become neighbours.
  int pairs_of_head = 0;
  bool exact = false;         // norms, biases and routers stay F32
  std::vector<float> values;  // where no source has them: in place of `parts`

  int64_t columns() const { return static_cast<int64_t>(dims[0]); }
  int64_t rows() const;
};

/// Those of a GGUF file, as they are.
std::vector<PlannedTensor> PlanGgufTensors(const ModelSource& source);

/// Those of a Hugging Face directory under their names in GGUF. The experts of a layer become one
/// tensor, queries and keys of Llama and its kin rotate neighbours, Llama 3's scaling becomes
/// rope_freqs.weight. REQUIRES: ModelWeights::Read takes the source.
/// Errors: as ModelSource::Find.
absl::StatusOr<std::vector<PlannedTensor>> PlanDirectoryTensors(const ModelSource& source,
                                                                const ModelConfig& config);

}  // namespace emptor::engine
