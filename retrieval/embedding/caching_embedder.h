// An embedder that remembers late queries.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "retrieval/embedding/embedder.h"

namespace emptor::retrieval {

/// Gives what another embedder gives; of the last `capacity` different queries without asking it
/// again, for shoppers ask the same, and one question searches products and documents. Passages are
/// not kept: their vectors are stored. A failure is not kept either.
/// Thread-safety: any thread; nobody waits while another query is embedded. Lifetime: `inner`
/// outlives it.
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
