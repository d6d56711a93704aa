// An embedder without a model, for tests: equal words have equal directions.
#pragma once

#include <string>

#include "retrieval/embedding/embedder.h"

namespace emptor::retrieval {

/// The normalised sum of one pseudo-random direction per word (maximal runs of ASCII letters,
/// digits and non-ASCII bytes, ASCII-lower-cased). Deterministic on every machine.
class HashingEmbedder final : public Embedder {
 public:
  /// REQUIRES: dimension > 0.
  explicit HashingEmbedder(int dimension = 64);

  int dimension() const override { return dimension_; }
  const std::string& model_id() const override { return model_id_; }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override;

 private:
  int dimension_;
  std::string model_id_;
};

}  // namespace emptor::retrieval
