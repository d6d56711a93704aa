// The shop's system of record: products and documents in LevelDB, with guarantees that LevelDB
// alone does not give. Byte layout: docs/formats/catalog_store.md.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "catalog/storage/record_store.h"

namespace emptor::catalog {

/// One change of a batch. Each change (record, index entry, counters, sequence) is applied whole.
struct ProductPut {
  Product product;
  /// Opaque bytes that belong to the product's search index (its embedding); stored in the same
  /// batch as the record. Empty: the stored value stays.
  std::string stored_embedding = {};
};

/// Opaque bytes that belong to a document's search index (its passages' embeddings).
struct StoredDocumentEmbedding {
  std::string document_id;  // of the same batch, or stored
  std::string bytes;
};

/// A small value stored with the records and changed in the same batch, such as the checkpoint of a
/// job. Its name has the form of an id.
struct MetadataEntry {
  std::string name;
  std::optional<std::string> value;  // nothing: takes the note away
};

struct StoreBatch {
  std::vector<ProductPut> puts = {};
  std::vector<Document> documents = {};
  std::vector<std::string> deleted_products = {};
  std::vector<std::string> deleted_documents = {};
  std::vector<MetadataEntry> metadata = {};
  std::vector<StoredDocumentEmbedding> document_entries = {};
};

struct StoreOptions {
  bool create_if_missing = false;
  leveldb::Env* env = nullptr;  // borrowed; null: the file system
  size_t write_buffer_bytes = 64u << 20;
  size_t block_cache_bytes = 64u << 20;
};

/// What the manifest seals: checked when the store opens.
struct StoreInfo {
  uint64_t products = 0;
  uint64_t documents = 0;
  uint64_t sequence = 0;  // increases by one with every batch
  /// Of all records and index entries, whatever their order: equal contents, equal digest.
  std::array<uint64_t, 2> digest = {};
};

/// Thread-safety: all methods may be called from any thread; writes are serialised inside.
/// Guarantees: reads verify checksums and are correct or an error; a batch is applied completely or
/// not at all; an acknowledged batch survives kill -9 (and power loss, it is synced); the first
/// storage error makes the store read-only until it is reopened (after a full disk: until Resume);
/// a damaged or truncated store refuses to open and says why.
class ProductStore {
 public:
  /// Errors: kNotFound (no store there and create_if_missing is off), kUnavailable (another process
  /// holds it), kDataLoss (damaged), kFailedPrecondition (a newer format).
  static absl::StatusOr<std::unique_ptr<ProductStore>> Open(const std::string& directory,
                                                            const StoreOptions& options);
  ~ProductStore();
  ProductStore(const ProductStore&) = delete;
  ProductStore& operator=(const ProductStore&) = delete;

  /// Nothing when there is no such product. Errors: kDataLoss, kUnavailable.
  absl::StatusOr<std::optional<Product>> Find(std::string_view product_id) const;
  absl::StatusOr<std::optional<Document>> FindDocument(std::string_view document_id) const;

  /// The index entry stored with a product; empty when there is none. Errors: as Find.
  absl::StatusOr<std::string> FindStoredEmbedding(std::string_view product_id) const;

  absl::StatusOr<std::string> FindDocumentEmbedding(std::string_view document_id) const;
  /// The value of a note. Errors: as Find.
  absl::StatusOr<std::optional<std::string>> FindMetadata(std::string_view name) const;

  /// Applies the batch atomically and syncs it. Errors: kInvalidArgument (names the record),
  /// kFailedPrecondition (read-only after an earlier error), kUnavailable, kResourceExhausted.
  absl::Status Write(const StoreBatch& batch);

  /// Accepts writes again after a full disk, as RecordStore::Resume.
  absl::Status Resume();

  /// Calls `visit(product, stored_embedding)` in id order over one snapshot, until it returns
  /// false.
  using ProductVisitor = std::function<bool(const Product&, std::string_view stored_embedding)>;
  absl::Status ScanProducts(const ProductVisitor& visit) const;
  using DocumentVisitor = std::function<bool(const Document&, std::string_view stored_embedding)>;
  absl::Status ScanDocuments(const DocumentVisitor& visit) const;
  /// The same order, without decoding the records: equal hashes mean equal records.
  absl::Status ScanProductHashes(
      const std::function<bool(std::string_view id, uint64_t hash)>& visit) const;

  /// Calls `visit(name, value)` for the notes, in order of their names, until it returns false.
  using MetadataVisitor = std::function<bool(std::string_view name, std::string_view value)>;
  absl::Status ScanMetadata(const MetadataVisitor& visit) const;

  StoreInfo info() const;
  /// The records themselves, for backups (catalog/backup/). Not for writing.
  RecordStore& records();
  /// OK, or the storage error that made the store read-only.
  absl::Status health() const;

 private:
  struct Impl;
  explicit ProductStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// How the records of a ProductStore are opened.
RecordStoreOptions CatalogRecordOptions(const StoreOptions& options);

}  // namespace emptor::catalog
