// The search over a shop's documents: passages are indexed, documents are found.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"

namespace emptor::services {

/// A document and the passage of it that fits best. `hit.id` is the document's.
struct DocumentHit {
  retrieval::Hit hit;
  std::string passage_id;  // as catalog/documents/passages.h names it
};

/// Thread-safety: Search from any thread; calls of Update are serialised by the caller.
/// Lifetime: the embedder outlives it.
class DocumentSearch {
 public:
  using EmbedTexts =
      std::function<absl::StatusOr<std::vector<std::vector<float>>>(std::vector<std::string>)>;

  /// An empty search. Errors: as HybridSearcher::Build.
  static absl::StatusOr<std::unique_ptr<DocumentSearch>> Create(
      const retrieval::Embedder& embedder, const retrieval::FusionOptions& fusion,
      EmbedTexts embed);

  /// Adds or replaces documents, and removes others. Passages that a document has no more are gone
  /// when it returns. Errors: of the embedder.
  absl::Status Update(std::span<const catalog::Document> documents,
                      std::span<const std::string> removed);

  /// At most request.limit documents, each with its best passage, best first; never fewer than
  /// match, unless a thousand passages lie before them. Errors: as HybridSearcher::Search.
  absl::StatusOr<std::vector<DocumentHit>> Search(const retrieval::SearchRequest& request) const;

  size_t memory_bytes() const { return passages_->stats().bytes; }

 private:
  using PassagesByDocument = std::unordered_map<std::string, std::vector<std::string>>;
  explicit DocumentSearch(EmbedTexts embed) : embed_(std::move(embed)) {}
  std::vector<std::string> TakeNames(PassagesByDocument fresh,
                                     std::span<const std::string> removed);
  std::vector<DocumentHit> BestPassages(std::vector<retrieval::Hit> hits, size_t limit) const;

  const EmbedTexts embed_;
  std::unique_ptr<retrieval::HybridSearcher> passages_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::string> document_of_;  // by passage; guarded by mutex_
  PassagesByDocument passages_of_;                            // guarded by mutex_
};

}  // namespace emptor::services
