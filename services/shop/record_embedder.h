// The vectors of records: read from the store where the text is unchanged, else embedded.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/import/importer.h"
#include "catalog/product_store.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "services/shop/document_search.h"

namespace emptor::services {

using VectorsById = std::unordered_map<std::string, std::vector<float>>;
using VectorsByText = std::unordered_map<std::string, std::vector<float>>;

/// Where vectors may come from instead of the embedder.
struct KnownVectors {
  const VectorsByText* prepared = nullptr;       // embedded ahead of the batch
  const catalog::ProductStore* other = nullptr;  // of another generation of the shop
};

/// Thread-safety: any thread. Lifetime: within the store's and the embedder's.
/// Errors of every method: of the store and the embedder.
class RecordEmbedder {
 public:
  RecordEmbedder(const catalog::ProductStore& store, const retrieval::Embedder& embedder,
                 size_t batch_size)
      : store_(store), embedder_(embedder), batch_size_(batch_size) {}

  const retrieval::Embedder& embedder() const { return embedder_; }

  absl::StatusOr<std::vector<std::vector<float>>> Embed(
      const std::vector<std::string>& texts) const;

  /// The vectors of the products that the batch puts, and their stored form in the batch. A product
  /// without new text that `searched` holds gets none: it keeps its vector.
  absl::StatusOr<VectorsById> EmbedProducts(catalog::ImportBatch& batch,
                                            const retrieval::HybridSearcher& searched,
                                            const KnownVectors& known) const;

  /// The passages of the documents that the batch puts and shoppers may see, with their vectors,
  /// and the stored form of new vectors in the batch.
  absl::StatusOr<std::vector<DocumentPassages>> EmbedDocuments(catalog::StoreBatch& changes,
                                                               const KnownVectors& known) const;

  /// Embeds the passages that have no vector yet. Returns the stored form, one for each document.
  absl::StatusOr<std::vector<catalog::StoredDocumentEmbedding>> EmbedPassages(
      std::span<DocumentPassages> documents, const VectorsByText* prepared = nullptr) const;

  /// Fills in the vectors that `entry` holds for the document's passages. True when it holds
  /// exactly those of this document.
  bool TakeStored(std::string_view entry, DocumentPassages& document) const;

  /// The vectors of those texts of the rows that the store has no vector for.
  absl::StatusOr<VectorsByText> EmbedAhead(std::span<const catalog::FeedRow> rows) const;

 private:
  absl::StatusOr<std::optional<std::vector<float>>> FindStored(const catalog::ProductStore& store,
                                                               catalog::ProductPut& put,
                                                               const std::string& text) const;
  absl::Status AddMissing(const catalog::FeedRow& row, std::vector<std::string>& texts) const;

  const catalog::ProductStore& store_;
  const retrieval::Embedder& embedder_;
  const size_t batch_size_;
};

}  // namespace emptor::services
