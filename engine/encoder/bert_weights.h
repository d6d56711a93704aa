// The tensors of a BERT, checked against its configuration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/encoder/bert_config.h"
#include "engine/encoder/linear.h"
#include "engine/model/model_source.h"

namespace emptor::engine {

/// out = (x - mean) / sqrt(variance + epsilon) * gain + bias.
/// Source: Ba, Kiros, Hinton 2016, arXiv:1607.06450.
struct LayerNorm {
  std::vector<float> gain, bias;
};

struct BertLayer {
  Linear query, key, value, attention_out;
  LayerNorm attention_norm;
  Linear up, down;
  LayerNorm out_norm;
};

/// Views into the source's memory where nothing was converted. Lifetime: within the source's.
struct BertWeights {
  TensorView words, positions;  // [vocabulary, hidden_size], [positions, hidden_size]
  std::vector<float> type;      // the first token type's row
  LayerNorm embedding_norm;
  std::vector<BertLayer> layers;
  std::vector<TensorView> stored;  // every tensor that was read, as it lies in the source
  std::optional<DType> converted;  // the type that the matrices got; nothing: that of the source

  /// Names as Hugging Face has them (with or without "bert." or "roberta." in front) or as GGUF
  /// has them. A vocabulary of 0 in `config` is set to the rows of the word embedding. `type`: as
  /// TextEncoderOptions::weight_type. Errors: kInvalidArgument (names the tensor),
  /// kUnimplemented, kResourceExhausted.
  static absl::StatusOr<BertWeights> Read(const ModelSource& source, const Kernels& kernels,
                                          std::optional<DType> type, BertConfig& config);
};

}  // namespace emptor::engine
