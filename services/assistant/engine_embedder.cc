// The port Embedder over engine::StaticEncoder.
#include "services/assistant/engine_embedder.h"

#include <utility>

#include "engine/encoder/static_encoder.h"

namespace emptor::services {

EngineEmbedder::EngineEmbedder(std::unique_ptr<engine::StaticEncoder> encoder)
    : encoder_(std::move(encoder)) {}
EngineEmbedder::~EngineEmbedder() = default;

absl::StatusOr<std::unique_ptr<EngineEmbedder>> EngineEmbedder::Load(const std::string& path) {
  auto encoder = engine::StaticEncoder::Load(path);
  if (!encoder.ok()) return encoder.status();
  return std::unique_ptr<EngineEmbedder>(new EngineEmbedder(*std::move(encoder)));
}

int EngineEmbedder::dimension() const { return encoder_->dimension(); }
const std::string& EngineEmbedder::model_id() const { return encoder_->model_id(); }

std::vector<int32_t> EngineEmbedder::Tokenize(std::string_view text) const {
  return encoder_->Tokenize(text);
}
absl::StatusOr<std::string> EngineEmbedder::Detokenize(std::span<const int32_t> tokens) const {
  return encoder_->Detokenize(tokens);
}

absl::Status EngineEmbedder::EmbedInto(std::span<const std::string> texts,
                                       std::span<float> out) const {
  const size_t width = static_cast<size_t>(dimension());
  if (out.size() != texts.size() * width) {
    return absl::InvalidArgumentError("embedder: out must hold texts x dimension floats");
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    encoder_->EncodeInto(texts[i], out.subspan(i * width, width));
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
