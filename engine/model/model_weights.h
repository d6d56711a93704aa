// The tensors of a language model.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "engine/model/model_config.h"
#include "engine/model/model_source.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

struct FeedForward {
  TensorView gate, up;  // [intermediate_size, hidden_size]
  TensorView down;      // [hidden_size, intermediate_size]
};

/// Vectors are copies in f32; an empty one is not in the model.
struct ModelLayer {
  std::vector<float> attention_norm;  // [hidden_size]
  TensorView query, key, value;       // [heads or kv_heads * head_dim, hidden_size]
  std::vector<float> query_bias, key_bias, value_bias;  // [heads or kv_heads * head_dim]
  std::vector<float> query_norm, key_norm;              // [head_dim]
  TensorView attention_out;                             // [hidden_size, heads * head_dim]
  std::vector<float> attention_out_bias;                // [hidden_size]
  std::vector<float> feed_forward_norm;                 // [hidden_size]
  TensorView router;                      // [experts, hidden_size]; without data: no experts
  std::vector<FeedForward> feed_forward;  // one, or one for each expert
};

/// Views of a model's matrices, copies of its vectors. Lifetime: within the source's.
struct ModelWeights {
  TensorView embedding;  // [vocabulary, hidden_size]
  std::vector<ModelLayer> layers;
  std::vector<float> output_norm;   // [hidden_size]
  TensorView output;                // [vocabulary, hidden_size]; may be the embedding
  std::vector<float> rope_factors;  // [rope.dims / 2], divide the frequencies; may be empty

  /// Errors: kInvalidArgument (a tensor is missing or of another shape, or a vector has numbers
  /// that are not finite), kUnimplemented (an unsupported type, or a tensor that this architecture
  /// does not use: ignoring it would give wrong answers).
  static absl::StatusOr<ModelWeights> Read(const ModelSource& source, const ModelConfig& config);
};

}  // namespace emptor::engine
