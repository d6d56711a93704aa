// BERT-family sentence encoders: MiniLM, BGE, E5.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/encoder/bert_config.h"
#include "engine/encoder/text_encoder.h"

namespace emptor::engine {

/// Embeddings of words, positions and the first token type; layers of bidirectional attention and
/// GELU; the mean or the first of the last layer's rows. Texts go together up to some hundred
/// tokens, without padding. One call computes at a time, others wait.
/// Source: Devlin et al. 2018, arXiv:1810.04805; Hendrycks and Gimpel 2016, arXiv:1606.08415.
class BertEncoder final : public TextEncoder {
 public:
  /// Errors: as BertConfig, BertWeights and LoadTokenizer; kInvalidArgument (a tokenizer of more
  /// tokens than the model has, or without tokens at the ends of a text).
  static absl::StatusOr<std::unique_ptr<TextEncoder>> LoadDirectory(
      const std::string& directory, const TextEncoderOptions& options);
  static absl::StatusOr<std::unique_ptr<TextEncoder>> LoadGguf(const std::string& path,
                                                               const TextEncoderOptions& options);
  ~BertEncoder() override;

  int dimension() const override;
  int max_tokens() const override;
  const std::string& model_id() const override;
  bool is_slow() const override { return true; }
  const Tokenizer& tokenizer() const override;
  absl::Status EncodeTextsInto(std::span<const std::string> texts, TextKind kind,
                               std::span<float> out) const override;

 private:
  struct Impl;
  explicit BertEncoder(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::engine
