// The catalog that an evaluation searches: from a feed, or as a shop stores it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"

namespace emptor::services {

/// The products of a feed in any format that ingest accepts; documents are skipped. `on_refused`
/// gets each line that is not a valid record, with the reason. Vectors stay empty. Errors:
/// kNotFound (the file cannot be read), those of FeedReader.
absl::StatusOr<std::vector<retrieval::IndexedProduct>> ReadFeedProducts(
    const std::string& path,
    const std::function<void(uint64_t line, std::string_view reason)>& on_refused);

/// The products of the served generation of a shop, with the stored vectors of this embedder.
/// Errors: those of ProductStore::Open; kUnavailable while a service holds the directory.
absl::StatusOr<std::vector<retrieval::IndexedProduct>> ReadStoredProducts(
    const std::string& directory, const retrieval::Embedder& embedder);

/// The products of the served generation of a shop. Errors: as ReadStoredProducts.
absl::StatusOr<std::vector<catalog::Product>> ReadStoredRecords(const std::string& directory);

/// The documents of the served generation of a shop. Errors: as ReadStoredProducts.
absl::StatusOr<std::vector<catalog::Document>> ReadStoredDocuments(const std::string& directory);

/// Embeds every product without a vector. Errors: of the embedder.
absl::Status FillVectors(const retrieval::Embedder& embedder,
                         std::vector<retrieval::IndexedProduct>& products);

}  // namespace emptor::services
