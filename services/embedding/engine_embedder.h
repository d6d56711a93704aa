// The embedder on our own text encoders.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::engine {
class TextEncoder;
struct TextEncoderOptions;
}  // namespace emptor::engine

namespace emptor::services {

/// Thread-safety: any thread.
class EngineEmbedder final : public retrieval::Embedder {
 public:
  /// A GGUF file, or a directory with a BERT or static embeddings. Errors: those of
  /// TextEncoder::Load.
  static absl::StatusOr<std::unique_ptr<EngineEmbedder>> Load(const std::string& path);
  static absl::StatusOr<std::unique_ptr<EngineEmbedder>> Load(
      const std::string& path, const engine::TextEncoderOptions& options);
  ~EngineEmbedder() override;

  int dimension() const override;
  const std::string& model_id() const override;
  bool is_slow() const override;
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override;
  absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const override;
  /// As EmbedInto, of queries.
  absl::Status EmbedQueriesInto(std::span<const std::string> queries, std::span<float> out) const;

  /// Tokens of a text, and the text of tokens (kInvalidArgument: an unknown id).
  std::vector<int32_t> Tokenize(std::string_view text) const;
  absl::StatusOr<std::string> Detokenize(std::span<const int32_t> tokens) const;

 private:
  explicit EngineEmbedder(std::unique_ptr<engine::TextEncoder> encoder);
  const std::unique_ptr<engine::TextEncoder> encoder_;
};

}  // namespace emptor::services
