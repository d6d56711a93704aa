// Settings to options.
#include "services/embedding/open_embedder.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "engine/encoder/text_encoder.h"
#include "services/client/api_key.h"

namespace emptor::services {
namespace {

absl::StatusOr<engine::TextEncoderOptions> EncoderOptions(const EmbedderSettings& settings) {
  engine::TextEncoderOptions options;
  options.threads = settings.threads;
  options.query_prefix = settings.query_prefix;
  options.passage_prefix = settings.passage_prefix;
  if (settings.weights.empty()) return options;
  static const std::map<std::string, engine::DType> kTypes = {
      {"f32", engine::DType::kF32}, {"bf16", engine::DType::kBF16}, {"q8_0", engine::DType::kQ8_0}};
  const auto type = kTypes.find(settings.weights);
  if (type == kTypes.end()) {
    return absl::InvalidArgumentError(
        fmt::format("embedder: weights: expected f32, bf16 or q8_0, found {:?}", settings.weights));
  }
  options.weight_type = type->second;
  return options;
}

}  // namespace

absl::StatusOr<ShopEmbedder> OpenEmbedder(const std::string& path,
                                          const EmbedderSettings& settings) {
  ShopEmbedder opened;
  if (IsEmbedderUrl(path)) {
    auto key = ReadApiKey("embedder", settings.key_env, settings.key_file);
    if (!key.ok()) return key.status();
    RemoteEmbedderOptions options;
    options.url = path;
    options.api_key = *std::move(key);
    options.settings = settings;
    auto remote = RemoteEmbedder::Open(std::move(options));
    if (!remote.ok()) return remote.status();
    opened.remote = *std::move(remote);
  } else {
    const auto options = EncoderOptions(settings);
    if (!options.ok()) return options.status();
    auto encoder = EngineEmbedder::Load(path, *options);
    if (!encoder.ok()) return encoder.status();
    opened.encoder = *std::move(encoder);
  }
  opened.embedder = std::make_unique<retrieval::CachingEmbedder>(opened.inner());
  return opened;
}

}  // namespace emptor::services
