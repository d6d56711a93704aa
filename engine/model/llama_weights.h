// The tensors of a Llama-architecture model.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "engine/model/gguf_file.h"
#include "engine/model/llama_config.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

struct LlamaLayer {
  const float* attention_norm = nullptr;     // [width]
  TensorView query, key, value;              // [heads or kv_heads * head_dim, width]
  TensorView attention_out;                  // [width, heads * head_dim]
  const float* feed_forward_norm = nullptr;  // [width]
  TensorView gate, up;                       // [feed_forward, width]
  TensorView down;                           // [width, feed_forward]
};

/// Views of a file's tensors. Lifetime: within the file's.
struct LlamaWeights {
  TensorView embedding;  // [vocabulary, width]
  std::vector<LlamaLayer> layers;
  const float* output_norm = nullptr;   // [width]
  TensorView output;                    // [vocabulary, width]; the embedding when the file has none
  const float* rope_factors = nullptr;  // [rope_dims / 2], divide the frequencies; may be null

  /// Errors: kInvalidArgument (a tensor is missing or of another shape), kUnimplemented (the file
  /// has a tensor that this architecture does not use: leaving it out would give wrong answers).
  static absl::StatusOr<LlamaWeights> Read(const GgufFile& file, const LlamaConfig& config);
};

}  // namespace emptor::engine
