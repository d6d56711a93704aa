// Products and documents as records of a RecordStore.
#include "catalog/product_store.h"

#include <unordered_set>
#include <utility>

#include "catalog/encoding/hash64.h"
#include "catalog/key_codec.h"
#include "catalog/record_codec.h"
#include "catalog/storage/record_store.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

size_t ClassOfKey(std::string_view key) { return static_cast<size_t>(DecodeKey(key).record_class); }

absl::Status Named(std::string_view what, std::string_view id, const absl::Status& status) {
  const std::string reason(status.message());
  return absl::Status(status.code(), fmt::format("{} {}: {}", what, id, reason));
}

absl::Status CheckId(std::string_view what, std::string_view id) {
  if (IsValidId(id)) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{}: not a valid id ({} bytes)", what, id.size()));
}

// Decoded and proved to be the record that its key names.
template <typename T>
absl::StatusOr<T> Decode(std::string_view id, std::string_view bytes,
                         absl::StatusOr<T> (*decode)(std::string_view)) {
  absl::StatusOr<T> record = decode(bytes);
  if (!record.ok()) return Named("record", id, record.status());
  if (record->id != id) {
    return absl::DataLossError(fmt::format("record {}: holds the record of another id", id));
  }
  return record;
}

}  // namespace

struct ProductStore::Impl {
  template <typename T>
  absl::StatusOr<std::optional<T>> Find(std::string_view id, const std::string& key,
                                        absl::StatusOr<T> (*decode)(std::string_view)) const {
    const absl::StatusOr<std::optional<std::string>> bytes = records->Get(key);
    if (!bytes.ok()) return bytes.status();
    if (!bytes->has_value()) return std::optional<T>();
    absl::StatusOr<T> record = Decode<T>(id, **bytes, decode);
    if (!record.ok()) {
      records->ReportDamage(record.status());
      return record.status();
    }
    return std::optional<T>(*std::move(record));
  }

  std::unique_ptr<RecordStore> records;
};

namespace {

absl::Status AddPuts(const StoreBatch& batch, RecordBatch& changes) {
  for (const ProductPut& put : batch.puts) {
    const absl::Status valid = ValidateProduct(put.product);
    if (!valid.ok()) return Named("product", put.product.id, valid);
    changes.Put(ProductKey(put.product.id), EncodeProduct(put.product));
    if (!put.stored_embedding.empty())
      changes.Put(EmbeddingKey(put.product.id), put.stored_embedding);
  }
  for (const Document& document : batch.documents) {
    const absl::Status valid = ValidateDocument(document);
    if (!valid.ok()) return Named("document", document.id, valid);
    changes.Put(DocumentKey(document.id), EncodeDocument(document));
  }
  for (const StoredDocumentEmbedding& entry : batch.document_entries) {
    const absl::Status valid = CheckId("index entry of document", entry.document_id);
    if (!valid.ok()) return valid;
    changes.Put(DocumentEmbeddingKey(entry.document_id), entry.bytes);
  }
  return absl::OkStatus();
}

absl::Status AddDeletes(const StoreBatch& batch, RecordBatch& changes) {
  for (const std::string& id : batch.deleted_products) {
    const absl::Status valid = CheckId("deleted product", id);
    if (!valid.ok()) return valid;
    changes.Delete(ProductKey(id));
    changes.Delete(EmbeddingKey(id));
  }
  for (const std::string& id : batch.deleted_documents) {
    const absl::Status valid = CheckId("deleted document", id);
    if (!valid.ok()) return valid;
    changes.Delete(DocumentKey(id));
    changes.Delete(DocumentEmbeddingKey(id));
  }
  return absl::OkStatus();
}

absl::Status AddMetadataEntries(const StoreBatch& batch, RecordBatch& changes) {
  for (const MetadataEntry& note : batch.metadata) {
    const absl::Status valid = CheckId("note", note.name);
    if (!valid.ok()) return valid;
    if (note.value) changes.Put(MetadataKey(note.name), *note.value);
    if (!note.value) changes.Delete(MetadataKey(note.name));
  }
  return absl::OkStatus();
}

// A batch says one thing about a record: the order of its lists must not matter.
absl::Status CheckNoContradiction(const StoreBatch& batch) {
  std::unordered_set<std::string_view> deleted(batch.deleted_products.begin(),
                                               batch.deleted_products.end());
  for (const ProductPut& put : batch.puts) {
    if (deleted.contains(put.product.id)) {
      return absl::InvalidArgumentError(
          fmt::format("product {}: put and deleted in one batch", put.product.id));
    }
  }
  deleted = {batch.deleted_documents.begin(), batch.deleted_documents.end()};
  for (const Document& document : batch.documents) {
    if (deleted.contains(document.id)) {
      return absl::InvalidArgumentError(
          fmt::format("document {}: put and deleted in one batch", document.id));
    }
  }
  for (const StoredDocumentEmbedding& entry : batch.document_entries) {
    if (deleted.contains(entry.document_id)) {
      return absl::InvalidArgumentError(
          fmt::format("document {}: index entry of a deleted one", entry.document_id));
    }
  }
  return absl::OkStatus();
}

// Joins each record with the index entry that follows it in the scan.
template <typename T>
class EntryJoiner {
 public:
  using Visitor = std::function<bool(const T&, std::string_view stored_embedding)>;
  EntryJoiner(const Visitor& visit, RecordClass record_class,
              absl::StatusOr<T> (*decode)(std::string_view))
      : visit_(visit), record_class_(record_class), decode_(decode) {}

  // False stops the scan: the visitor is done, or status() is the error.
  bool Take(std::string_view key, std::string_view value) {
    const DecodedKey decoded = DecodeKey(key);
    if (decoded.record_class == record_class_) {
      if (!Flush("")) return false;
      absl::StatusOr<T> record = Decode<T>(decoded.id, value, decode_);
      if (!record.ok()) return Stop(record.status());
      pending_ = *std::move(record);
      return true;
    }
    if (decoded.record_class == RecordClass::kStoredEmbedding && pending_ &&
        pending_->id == decoded.id) {
      return Flush(value);
    }
    return Stop(absl::DataLossError("index entry without its record"));
  }

  bool Flush(std::string_view stored_embedding) {
    if (!pending_) return true;
    const T record = *std::exchange(pending_, std::nullopt);
    return visit_(record, stored_embedding);
  }

  const absl::Status& status() const { return status_; }

 private:
  bool Stop(absl::Status status) {
    status_ = std::move(status);
    pending_.reset();
    return false;
  }

  const Visitor& visit_;
  const RecordClass record_class_;
  absl::StatusOr<T> (*const decode_)(std::string_view);
  std::optional<T> pending_;
  absl::Status status_;
};

template <typename T>
absl::Status ScanJoined(RecordStore& records, std::string_view prefix, EntryJoiner<T> joiner) {
  bool stopped = false;
  const absl::Status scanned =
      records.Scan(prefix, [&](std::string_view key, std::string_view value) {
        stopped = !joiner.Take(key, value);
        return !stopped;
      });
  if (!scanned.ok()) return scanned;
  if (!joiner.status().ok()) {
    records.ReportDamage(joiner.status());
    return joiner.status();
  }
  if (!stopped) joiner.Flush("");
  return absl::OkStatus();
}

}  // namespace

RecordStoreOptions CatalogRecordOptions(const StoreOptions& options) {
  return {.identity = {.application = "catalog", .content_version = kCatalogContentVersion},
          .class_of = ClassOfKey,
          .create_if_missing = options.create_if_missing,
          .env = options.env,
          .write_buffer_bytes = options.write_buffer_bytes,
          .block_cache_bytes = options.block_cache_bytes};
}

absl::StatusOr<std::unique_ptr<ProductStore>> ProductStore::Open(const std::string& directory,
                                                                 const StoreOptions& options) {
  absl::StatusOr<std::unique_ptr<RecordStore>> records =
      RecordStore::Open(directory, CatalogRecordOptions(options));
  if (!records.ok()) return records.status();
  auto impl = std::make_unique<Impl>();
  impl->records = *std::move(records);
  return std::unique_ptr<ProductStore>(new ProductStore(std::move(impl)));
}

ProductStore::ProductStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ProductStore::~ProductStore() = default;

absl::StatusOr<std::optional<Product>> ProductStore::Find(std::string_view product_id) const {
  if (!IsValidId(product_id)) return std::optional<Product>();
  return impl_->Find<Product>(product_id, ProductKey(product_id), DecodeProduct);
}

absl::StatusOr<std::optional<Document>> ProductStore::FindDocument(
    std::string_view document_id) const {
  if (!IsValidId(document_id)) return std::optional<Document>();
  return impl_->Find<Document>(document_id, DocumentKey(document_id), DecodeDocument);
}

absl::StatusOr<std::string> ProductStore::FindStoredEmbedding(std::string_view product_id) const {
  if (!IsValidId(product_id)) return std::string();
  auto entry = impl_->records->Get(EmbeddingKey(product_id));
  if (!entry.ok()) return entry.status();
  return std::move(*entry).value_or("");
}

absl::StatusOr<std::string> ProductStore::FindDocumentEmbedding(
    std::string_view document_id) const {
  if (!IsValidId(document_id)) return std::string();
  auto entry = impl_->records->Get(DocumentEmbeddingKey(document_id));
  if (!entry.ok()) return entry.status();
  return std::move(*entry).value_or("");
}

absl::StatusOr<std::optional<std::string>> ProductStore::FindMetadata(std::string_view name) const {
  if (!IsValidId(name)) return std::optional<std::string>();
  return impl_->records->Get(MetadataKey(name));
}

absl::Status ProductStore::Write(const StoreBatch& batch) {
  RecordBatch changes;
  absl::Status status = CheckNoContradiction(batch);
  if (status.ok()) status = AddPuts(batch, changes);
  if (status.ok()) status = AddDeletes(batch, changes);
  if (status.ok()) status = AddMetadataEntries(batch, changes);
  if (!status.ok()) return status;
  return impl_->records->Write(changes);
}

absl::Status ProductStore::Resume() { return impl_->records->Resume(); }

absl::Status ProductStore::ScanProducts(const ProductVisitor& visit) const {
  return ScanJoined(*impl_->records, kProductPrefix,
                    EntryJoiner<Product>(visit, RecordClass::kProduct, DecodeProduct));
}

absl::Status ProductStore::ScanDocuments(const DocumentVisitor& visit) const {
  return ScanJoined(*impl_->records, kDocumentPrefix,
                    EntryJoiner<Document>(visit, RecordClass::kDocument, DecodeDocument));
}

absl::Status ProductStore::ScanProductHashes(
    const std::function<bool(std::string_view id, uint64_t hash)>& visit) const {
  return impl_->records->Scan(kProductPrefix, [&](std::string_view key, std::string_view value) {
    const DecodedKey decoded = DecodeKey(key);
    return decoded.record_class != RecordClass::kProduct || visit(decoded.id, Hash64(value));
  });
}

RecordStore& ProductStore::records() { return *impl_->records; }

absl::Status ProductStore::ScanMetadata(const MetadataVisitor& visit) const {
  return impl_->records->Scan(kMetadataPrefix, [&](std::string_view key, std::string_view value) {
    return visit(MetadataNameOf(key), value);
  });
}

StoreInfo ProductStore::info() const {
  const Seal seal = impl_->records->seal();
  return {.products = seal.counts[static_cast<size_t>(RecordClass::kProduct)],
          .documents = seal.counts[static_cast<size_t>(RecordClass::kDocument)],
          .sequence = seal.sequence,
          .digest = seal.digest.lanes};
}

absl::Status ProductStore::health() const { return impl_->records->health(); }

}  // namespace emptor::catalog
