// The embedder that the settings name.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/embedding/caching_embedder.h"
#include "services/embedding/embedder_settings.h"
#include "services/embedding/engine_embedder.h"
#include "services/embedding/remote_embedder.h"

namespace emptor::services {

/// The embedder of shops, and its implementation: an encoder of this process or an endpoint; the
/// other of the two is null.
struct ShopEmbedder {
  std::shared_ptr<const EngineEmbedder> encoder;
  std::shared_ptr<const RemoteEmbedder> remote;
  /// Keeps the vectors of late queries. Lifetime: within that of the above.
  std::unique_ptr<retrieval::CachingEmbedder> embedder;

  /// The same that remembers nothing, for measurements.
  const retrieval::Embedder& inner() const {
    if (encoder != nullptr) return *encoder;
    return *remote;
  }
};

/// `path` is a GGUF file, a directory with a BERT or static embeddings, or the URL of an endpoint.
/// Errors: those of EngineEmbedder::Load and RemoteEmbedder::Open; kInvalidArgument (settings);
/// kNotFound (no API key where the settings say that there is one).
absl::StatusOr<ShopEmbedder> OpenEmbedder(const std::string& path,
                                          const EmbedderSettings& settings);

}  // namespace emptor::services
