// The port Embedder over the port engine::TextEncoder.
#include "services/assistant/engine_embedder.h"

#include <utility>

#include "engine/encoder/text_encoder.h"

namespace emptor::services {

EngineEmbedder::EngineEmbedder(std::unique_ptr<engine::TextEncoder> encoder)
    : encoder_(std::move(encoder)) {}
EngineEmbedder::~EngineEmbedder() = default;

absl::StatusOr<std::unique_ptr<EngineEmbedder>> EngineEmbedder::Load(const std::string& path) {
  auto encoder = engine::TextEncoder::Load(path);
  if (!encoder.ok()) return encoder.status();
  return std::unique_ptr<EngineEmbedder>(new EngineEmbedder(*std::move(encoder)));
}

int EngineEmbedder::dimension() const { return encoder_->dimension(); }
const std::string& EngineEmbedder::model_id() const { return encoder_->model_id(); }

absl::Status EngineEmbedder::EmbedInto(std::span<const std::string> texts,
                                       std::span<float> out) const {
  return encoder_->EncodeTextsInto(texts, engine::TextKind::kPassage, out);
}

absl::Status EngineEmbedder::EmbedQueryInto(const std::string& query, std::span<float> out) const {
  return encoder_->EncodeTextsInto({&query, 1}, engine::TextKind::kQuery, out);
}

}  // namespace emptor::services
