// Static text embeddings: the weighted mean of token vectors, normalised (the Model2Vec idea).
// Files: GGUF of architecture "emptor-static", see docs/formats/static_encoder.md; or a directory
// in the layout of Model2Vec.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/encoder/text_encoder.h"

namespace emptor::engine {

/// embedding(text) = normalise(sum_t w[t] E[m[t]]), t over the tokens of the text: case-folded and
/// in NFKC in a GGUF file, prepared by its tokenizer.json in a directory, where unknown tokens do
/// not count. Thread-safety: const methods from any thread.
class StaticEncoder final : public TextEncoder {
 public:
  /// Errors: kNotFound, kDataLoss or kInvalidArgument (names the field of the file).
  static absl::StatusOr<std::unique_ptr<StaticEncoder>> Load(const std::string& path);
  /// model.safetensors with the tensor `embeddings` [rows, dimension] of F32, F16 or BF16, perhaps
  /// `weights` [tokens] of F64 or what the engine computes with, and `mapping` [tokens] of I64 or
  /// I32 (the row of each token; without it as many rows as tokens); tokenizer.json. Errors: alike.
  static absl::StatusOr<std::unique_ptr<StaticEncoder>> LoadDirectory(const std::string& directory);
  ~StaticEncoder() override;

  int dimension() const override;
  /// No bound of its own: the most tokens that a vector could count.
  int max_tokens() const override;
  /// File name of the model and digest of its weights.
  const std::string& model_id() const override;

  /// Writes dimension() floats. Text without a known token gives the zero vector.
  /// REQUIRES: out.size() == dimension().
  void EncodeInto(std::string_view text, std::span<float> out) const;
  absl::Status EncodeTextsInto(std::span<const std::string> texts, TextKind kind,
                               std::span<float> out) const override;

 private:
  struct Impl;
  explicit StaticEncoder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::engine
