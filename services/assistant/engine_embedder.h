// The embedder on our own text encoders.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::engine {
class TextEncoder;
}

namespace emptor::services {

/// Thread-safety: any thread.
class EngineEmbedder final : public retrieval::Embedder {
 public:
  /// A GGUF file, or a directory with a BERT or static embeddings. Errors: those of
  /// TextEncoder::Load.
  static absl::StatusOr<std::unique_ptr<EngineEmbedder>> Load(const std::string& path);
  ~EngineEmbedder() override;

  int dimension() const override;
  const std::string& model_id() const override;
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override;
  absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const override;

 private:
  explicit EngineEmbedder(std::unique_ptr<engine::TextEncoder> encoder);
  const std::unique_ptr<engine::TextEncoder> encoder_;
};

}  // namespace emptor::services
