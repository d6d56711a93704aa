// The port Embedder over the port engine::TextEncoder.
#include "services/embedding/engine_embedder.h"

#include <utility>

#include "engine/encoder/text_encoder.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::services {

EngineEmbedder::EngineEmbedder(std::unique_ptr<engine::TextEncoder> encoder)
    : encoder_(std::move(encoder)) {}
EngineEmbedder::~EngineEmbedder() = default;

absl::StatusOr<std::unique_ptr<EngineEmbedder>> EngineEmbedder::Load(const std::string& path) {
  return Load(path, {});
}

absl::StatusOr<std::unique_ptr<EngineEmbedder>> EngineEmbedder::Load(
    const std::string& path, const engine::TextEncoderOptions& options) {
  auto encoder = engine::TextEncoder::Load(path, options);
  if (!encoder.ok()) return encoder.status();
  return std::unique_ptr<EngineEmbedder>(new EngineEmbedder(*std::move(encoder)));
}

int EngineEmbedder::dimension() const { return encoder_->dimension(); }
const std::string& EngineEmbedder::model_id() const { return encoder_->model_id(); }
bool EngineEmbedder::is_slow() const { return encoder_->is_slow(); }

std::vector<int32_t> EngineEmbedder::Tokenize(std::string_view text) const {
  std::vector<int32_t> tokens;
  encoder_->tokenizer().EncodeInto(text, tokens);
  return tokens;
}

absl::StatusOr<std::string> EngineEmbedder::Detokenize(std::span<const int32_t> tokens) const {
  const engine::Tokenizer& tokenizer = encoder_->tokenizer();
  for (const int32_t token : tokens) {
    if (tokenizer.vocabulary().Contains(token)) continue;
    return absl::InvalidArgumentError("input: expected tokens from 0 to " +
                                      std::to_string(tokenizer.vocabulary().size() - 1) +
                                      ", found " + std::to_string(token));
  }
  return tokenizer.Decode({tokens.begin(), tokens.end()});
}

absl::Status EngineEmbedder::EmbedInto(std::span<const std::string> texts,
                                       std::span<float> out) const {
  return encoder_->EncodeTextsInto(texts, engine::TextKind::kPassage, out);
}

absl::Status EngineEmbedder::EmbedQueryInto(const std::string& query, std::span<float> out) const {
  return EmbedQueriesInto({&query, 1}, out);
}

absl::Status EngineEmbedder::EmbedQueriesInto(std::span<const std::string> queries,
                                              std::span<float> out) const {
  return encoder_->EncodeTextsInto(queries, engine::TextKind::kQuery, out);
}

}  // namespace emptor::services
