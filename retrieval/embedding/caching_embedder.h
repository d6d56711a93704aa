// An embedder that caches query vectors.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "retrieval/embedding/embedder.h"

namespace emptor::retrieval {

/// An LRU cache of the vectors of `capacity` queries in front of another embedder. Shoppers repeat
/// queries, and one question searches products and documents. Passages are not cached, since their
/// vectors are stored; nor are failures.
/// Thread-safety: any thread; no lock is held while `inner` embeds. Lifetime: `inner` outlives it.
class CachingEmbedder final : public Embedder {
 public:
  explicit CachingEmbedder(const Embedder& inner, size_t capacity = 1024);
  ~CachingEmbedder() override;

  int dimension() const override;
  const std::string& model_id() const override;
  bool is_slow() const override;
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override;
  absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const override;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::retrieval
