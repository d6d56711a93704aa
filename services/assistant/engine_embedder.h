// The embedder on our own static encoder.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::engine {
class StaticEncoder;
}

namespace emptor::services {

/// Thread-safety: any thread.
class EngineEmbedder final : public retrieval::Embedder {
 public:
  /// Errors: those of StaticEncoder::Load.
  static absl::StatusOr<std::unique_ptr<EngineEmbedder>> Load(const std::string& path);
  ~EngineEmbedder() override;

  int dimension() const override;
  const std::string& model_id() const override;
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override;

 private:
  explicit EngineEmbedder(std::unique_ptr<engine::StaticEncoder> encoder);
  const std::unique_ptr<engine::StaticEncoder> encoder_;
};

}  // namespace emptor::services
