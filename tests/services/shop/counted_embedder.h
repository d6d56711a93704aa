// An embedder that counts its work.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <utility>

#include "retrieval/embedding/hashing_embedder.h"

namespace emptor::services {

/// Counts the texts that are embedded.
class CountedEmbedder final : public retrieval::Embedder {
 public:
  explicit CountedEmbedder(std::string id = "one") : id_(std::move(id)) {}
  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return id_; }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override {
    count += static_cast<int>(texts.size());
    return inner_.EmbedInto(texts, out);
  }
  mutable std::atomic<int> count{0};

 private:
  const std::string id_;
  retrieval::HashingEmbedder inner_{32};
};

}  // namespace emptor::services
