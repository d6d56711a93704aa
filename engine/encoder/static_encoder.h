// Static text embeddings: the weighted mean of token vectors, normalised (the Model2Vec idea).
// File: GGUF of architecture "emptor-static"; see docs/formats/static_encoder.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::engine {

/// embedding(text) = normalise(sum_t w[t] E[t]), t over the tokens of the case-folded NFKC text.
/// Thread-safety: const methods from any thread.
class StaticEncoder {
 public:
  /// Errors: kNotFound, kDataLoss or kInvalidArgument (names the field of the file).
  static absl::StatusOr<std::unique_ptr<StaticEncoder>> Load(const std::string& path);
  ~StaticEncoder();
  StaticEncoder(const StaticEncoder&) = delete;
  StaticEncoder& operator=(const StaticEncoder&) = delete;

  int dimension() const;
  /// File name of the model and digest of its weights.
  const std::string& model_id() const;

  /// Writes dimension() floats. Text without a known token gives the zero vector.
  /// REQUIRES: out.size() == dimension().
  void EncodeInto(std::string_view text, std::span<float> out) const;

  /// The tokens that EncodeInto makes of the text, and the text of tokens. Errors:
  /// kInvalidArgument (an id that is not in the vocabulary).
  std::vector<int32_t> Tokenize(std::string_view text) const;
  absl::StatusOr<std::string> Detokenize(std::span<const int32_t> tokens) const;

 private:
  struct Impl;
  explicit StaticEncoder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::engine
