// What computing a token takes of a model's weights.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/peak.h"
#include "engine/model/model_source.h"

namespace emptor::engine {

struct WeightWork {
  std::string type;                          // that the largest part of the weights is stored in
  Arithmetic arithmetic = Arithmetic::kF32;  // what these weights are multiplied with
  uint64_t weight_bytes = 0;                 // that a step of one token reads
  uint64_t expert_bytes = 0;       // of these, the chosen experts': another token chooses others
  uint64_t all_bytes = 0;          // that a step of many tokens reads
  uint64_t layer_operations = 0;   // of the matrices, for each token
  uint64_t output_operations = 0;  // of the last matrix, for each sequence of a step

  /// Bytes that a step of so many tokens reads at most.
  uint64_t StepBytes(int tokens) const;
};

/// From the model's files alone. Errors: those of ModelSource::Find.
absl::StatusOr<WeightWork> DescribeWork(const ModelSource& source, const ModelConfig& config,
                                        Isa isa);

}  // namespace emptor::engine
