// Which attribute of a record a question means, where no word of the lexicons says it: by vectors
// of sentences.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "catalog/product.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::services {

/// Thread-safety: any thread. Vectors of attribute names are kept, those of kMaxKept names at most.
class KeyMeanings {
 public:
  /// `embedder`: of sentences, in the languages of shoppers. Kept.
  explicit KeyMeanings(std::shared_ptr<const retrieval::Embedder> embedder)
      : embedder_(std::move(embedder)) {}

  /// The attribute of `product` whose name is nearest to `question`, which is without the name of
  /// the goods; their `type` counts for nothing in the names ("flashlight type"). Nothing where
  /// none is near, or the embedder fails.
  std::optional<std::string> Find(const std::string& question, const catalog::Product& product,
                                  const std::string& type) const;

  /// Names whose vectors are kept.
  static constexpr size_t kMaxKept = 1 << 15;

 private:
  using Vector = std::vector<float>;
  absl::Status EmbedNew(std::span<const std::string> names) const;

  const std::shared_ptr<const retrieval::Embedder> embedder_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, Vector> kept_;  // by name; guarded by mutex_
};

}  // namespace emptor::services
