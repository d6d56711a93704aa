// The search over a shop's documents: passages are indexed, documents are found.
#pragma once

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

/// A document and its best passage. `hit.id` is the document's id.
struct DocumentHit {
  retrieval::Hit hit;
  std::string passage_id;  // as catalog/documents/passages.h names it
};

/// A document as it is indexed: its passages, each with the text that is embedded.
struct DocumentPassages {
  std::string document_id;
  std::vector<retrieval::IndexedProduct> records;  // vectors are filled in by the caller
  std::vector<std::string> texts;                  // one for each record
};
DocumentPassages PassagesOf(const catalog::Document& document);

/// Size of what is searched.
struct DocumentStats {
  size_t passages = 0;
  size_t bytes = 0;                  // of their text
  uint64_t words_only_searches = 0;  // the embedder failed
};

/// Thread-safety: Search and stats from any thread; calls of Update are serialised by the caller.
/// Lifetime: the embedder outlives it.
class DocumentSearch {
 public:
  /// An empty search. Errors: as HybridSearcher::Build.
  static absl::StatusOr<std::unique_ptr<DocumentSearch>> Create(
      const retrieval::Embedder& embedder, const retrieval::FusionOptions& fusion);

  /// Adds or replaces documents, and removes others. Passages that a document no longer has are
  /// gone when the call returns. REQUIRES: every record has its vector; a document occurs once.
  /// Errors: as HybridSearcher::Upsert.
  absl::Status Update(std::vector<DocumentPassages> documents,
                      std::span<const std::string> removed);

  /// At most request.limit documents, each with its best passage, best first. Fewer than match only
  /// if a thousand better passages belong to the documents returned. Errors: as
  /// HybridSearcher::Search.
  absl::StatusOr<std::vector<DocumentHit>> Search(const retrieval::SearchRequest& request) const;

  DocumentStats stats() const;
  size_t memory_bytes() const { return passages_->stats().bytes; }

 private:
  struct Known {
    std::vector<std::string> passages;
    size_t bytes = 0;
  };
  using KnownDocuments = std::unordered_map<std::string, Known>;
  DocumentSearch() = default;
  std::vector<std::string> TakeNames(KnownDocuments fresh, std::span<const std::string> removed);
  std::vector<DocumentHit> BestPassages(std::vector<retrieval::Hit> hits, size_t limit) const;

  std::unique_ptr<retrieval::HybridSearcher> passages_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::string> document_of_;  // by passage; guarded by mutex_
  KnownDocuments documents_;                                  // guarded by mutex_
  size_t bytes_ = 0;                                          // guarded by mutex_
};

}  // namespace emptor::services
