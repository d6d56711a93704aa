// Products from lines or from the store, and their vectors.
#include "services/eval/eval_catalog.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "catalog/feed/feed_reader.h"
#include "catalog/product_store.h"
#include "services/shop/shop_generations.h"
#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

constexpr size_t kEmbedBatch = 64;
constexpr size_t kPieceBytes = 1u << 20;

absl::StatusOr<std::unique_ptr<catalog::ProductStore>> OpenStored(const std::string& directory) {
  const auto generations = ShopGenerations::Open(directory, /*create=*/false);
  if (!generations.ok()) return generations.status();
  return catalog::ProductStore::Open(generations->PathOf(generations->current()) + "/catalog", {});
}

absl::Status ScanStored(
    const std::string& directory,
    const std::function<bool(const catalog::Product&, std::string_view entry)>& take) {
  const auto store = OpenStored(directory);
  if (!store.ok()) return store.status();
  return (*store)->ScanProducts(take);
}

}  // namespace

absl::StatusOr<std::vector<IndexedProduct>> ReadFeedProducts(
    const std::string& path,
    const std::function<void(uint64_t line, std::string_view reason)>& on_refused) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + ": cannot be read");
  std::vector<IndexedProduct> products;
  const auto reader = catalog::MakeFeedReader({}, [&](catalog::FeedRow&& row) {
    if (auto* product = std::get_if<catalog::Product>(&row.record)) {
      products.push_back({std::move(*product), {}});
    } else if (std::holds_alternative<std::monostate>(row.record)) {
      const bool has_reason = !row.problems.empty();
      on_refused(row.line, has_reason ? row.problems.front().reason : "no record");
    }
    return absl::OkStatus();
  });
  std::vector<char> piece(kPieceBytes);
  absl::Status status;
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    status = reader->Push({piece.data(), static_cast<size_t>(file.gcount())});
  } while (file && status.ok());
  if (status.ok()) status = reader->Finish();
  if (!status.ok()) {
    return absl::Status(status.code(), path + ": " + std::string(status.message()));
  }
  return products;
}

absl::StatusOr<std::vector<IndexedProduct>> ReadStoredProducts(
    const std::string& directory, const retrieval::Embedder& embedder) {
  std::vector<IndexedProduct> products;
  const absl::Status scanned =
      ScanStored(directory, [&](const catalog::Product& product, std::string_view entry) {
        auto vector = DecodeStoredEmbedding(
            entry, embedder.model_id(), retrieval::EmbeddingText(product), embedder.dimension());
        products.push_back({product, vector ? *std::move(vector) : std::vector<float>()});
        return true;
      });
  if (!scanned.ok()) return scanned;
  return products;
}

absl::StatusOr<std::vector<catalog::Product>> ReadStoredRecords(const std::string& directory) {
  std::vector<catalog::Product> products;
  const absl::Status scanned =
      ScanStored(directory, [&](const catalog::Product& product, std::string_view) {
        products.push_back(product);
        return true;
      });
  if (!scanned.ok()) return scanned;
  return products;
}

absl::StatusOr<std::vector<catalog::Document>> ReadStoredDocuments(const std::string& directory) {
  const auto store = OpenStored(directory);
  if (!store.ok()) return store.status();
  std::vector<catalog::Document> documents;
  const absl::Status scanned =
      (*store)->ScanDocuments([&](const catalog::Document& document, std::string_view) {
        documents.push_back(document);
        return true;
      });
  if (!scanned.ok()) return scanned;
  return documents;
}

absl::Status FillVectors(const retrieval::Embedder& embedder,
                         std::vector<IndexedProduct>& products) {
  std::vector<IndexedProduct*> open;
  for (IndexedProduct& product : products) {
    if (product.vector.empty()) open.push_back(&product);
  }
  const auto dimension = static_cast<size_t>(embedder.dimension());
  std::vector<std::string> texts;
  std::vector<float> rows;
  for (size_t begin = 0; begin < open.size(); begin += kEmbedBatch) {
    const auto batch = std::span(open).subspan(begin, std::min(kEmbedBatch, open.size() - begin));
    texts.clear();
    for (const IndexedProduct* each : batch) {
      texts.push_back(retrieval::EmbeddingText(each->product));
    }
    rows.assign(batch.size() * dimension, 0.0f);
    if (absl::Status status = embedder.EmbedInto(texts, rows); !status.ok()) return status;
    for (size_t i = 0; i < batch.size(); ++i) {
      const auto row = rows.begin() + static_cast<std::ptrdiff_t>(i * dimension);
      batch[i]->vector.assign(row, row + static_cast<std::ptrdiff_t>(dimension));
    }
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
