// What a shop takes over from the generation before: the writes that came while it was built.
#include <utility>

#include "catalog/content_hash.h"
#include "catalog/feed/product_patch.h"
#include "catalog/validation.h"
#include "services/shop/shop.h"
#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

constexpr size_t kRecordsPerWrite = 256;

size_t SizeOf(const catalog::StoreBatch& batch) {
  return batch.puts.size() + batch.deleted_products.size() + batch.documents.size() +
         batch.deleted_documents.size() + batch.metadata.size();
}

/// `mine` with those fields of `theirs`; nothing when they do not fit together.
std::optional<catalog::Product> WithFields(const catalog::Product& mine,
                                           const catalog::Product& theirs,
                                           const std::set<std::string>& fields) {
  catalog::Product merged = mine;
  catalog::ProductPatch patch;
  patch.values = theirs;
  patch.fields.assign(fields.begin(), fields.end());
  if (!catalog::ApplyPatch(patch, merged).ok()) return std::nullopt;
  if (!catalog::ValidateProduct(merged).ok()) return std::nullopt;
  return merged;
}

}  // namespace

/// REQUIRES: import_mutex_ is held.
void Shop::KeepWritten(std::optional<WrittenRecords> written) {
  written_ = std::move(written);
  written_bytes_ = written_ ? written_->bytes() : 0;
}

absl::Status Shop::FollowWrites(const WritePause&) {
  WrittenRecords written;
  const absl::Status scanned = store_->ScanMetadata([&](std::string_view name, std::string_view) {
    written.AddMetadata(std::string(name));
    return true;
  });
  if (scanned.ok()) KeepWritten(std::move(written));
  return scanned;
}

void Shop::ForgetWrites(const WritePause&) { KeepWritten(std::nullopt); }

WrittenRecords Shop::TakeWritten(const WritePause&) {
  WrittenRecords taken = *std::move(written_);
  KeepWritten(WrittenRecords());
  return taken;
}

void Shop::Retire(const WritePause&, bool is_retired) { is_retired_ = is_retired; }

/// REQUIRES: import_mutex_ is held.
absl::Status Shop::RefuseIfRetired() const {
  if (!is_retired_) return absl::OkStatus();
  return absl::AbortedError("another generation of the shop is served now; send it again");
}

absl::Status Shop::TakeOver(const WrittenRecords& written, const Shop& from) {
  const std::lock_guard lock(import_mutex_);
  written_bytes_ = written.bytes();  // the caller keeps them meanwhile
  absl::Status status = TakeOverAll(written, from);
  written_bytes_ = 0;
  return status;
}

/// REQUIRES: import_mutex_ is held.
absl::Status Shop::TakeOverAll(const WrittenRecords& written, const Shop& from) {
  catalog::ImportBatch batch;
  const auto write_full = [&] {
    if (SizeOf(batch.changes) < kRecordsPerWrite) return absl::OkStatus();
    return TakeOverBatch(std::exchange(batch, {}), from);
  };
  absl::Status status;
  if (written.is_replacement()) status = FindReplaced(from, batch.changes.deleted_products);
  if (status.ok()) status = write_full();
  if (!status.ok()) return status;
  for (const auto& [id, fields] : written.products()) {
    status = TakeOverProduct(id, fields, from, batch);
    if (status.ok()) status = write_full();
    if (!status.ok()) return status;
  }
  for (const std::string& id : written.documents()) {
    status = TakeOverDocument(id, from, batch);
    if (status.ok()) status = write_full();
    if (!status.ok()) return status;
  }
  std::set<std::string> gone = written.metadata();
  std::vector<catalog::MetadataEntry>& notes = batch.changes.metadata;
  status = from.ScanMetadata([&](std::string_view name, std::string_view value) {
    if (gone.erase(std::string(name)) > 0) notes.push_back({std::string(name), std::string(value)});
    return true;
  });
  for (const std::string& name : gone) notes.push_back({name, std::nullopt});
  return status.ok() ? TakeOverBatch(std::move(batch), from) : status;
}

/// Adds what must change for the product to be as `from` has it, if anything must.
absl::Status Shop::TakeOverProduct(const std::string& id, const std::set<std::string>& fields,
                                   const Shop& from, catalog::ImportBatch& batch) const {
  const auto theirs = from.store_->Find(id);
  if (!theirs.ok()) return theirs.status();
  const auto mine = store_->Find(id);
  if (!mine.ok()) return mine.status();
  if (!theirs->has_value()) {
    if (mine->has_value()) batch.changes.deleted_products.push_back(id);
    return absl::OkStatus();
  }
  std::optional<catalog::Product> wanted;
  if (mine->has_value() && !fields.empty()) wanted = WithFields(**mine, **theirs, fields);
  if (!wanted) wanted = **theirs;
  if (*mine == wanted) return absl::OkStatus();
  batch.needs_embedding.push_back(!mine->has_value() || catalog::IndexTextHash(**mine) !=
                                                            catalog::IndexTextHash(*wanted));
  batch.changes.puts.push_back({.product = *std::move(wanted)});
  return absl::OkStatus();
}

/// As TakeOverProduct.
absl::Status Shop::TakeOverDocument(const std::string& id, const Shop& from,
                                    catalog::ImportBatch& batch) const {
  auto theirs = from.store_->FindDocument(id);
  if (!theirs.ok()) return theirs.status();
  const auto mine = store_->FindDocument(id);
  if (!mine.ok()) return mine.status();
  if (!theirs->has_value()) {
    if (mine->has_value()) batch.changes.deleted_documents.push_back(id);
  } else if (*mine != *theirs) {
    batch.changes.documents.push_back(**std::move(theirs));
  }
  return absl::OkStatus();
}

/// Adds the products that `from` does not have, though an import has named all there are.
absl::Status Shop::FindReplaced(const Shop& from, std::vector<std::string>& replaced) const {
  absl::Status failed;
  const absl::Status scanned =
      store_->ScanProducts([&](const catalog::Product& product, std::string_view) {
        const auto theirs = from.store_->Find(product.id);
        if (!theirs.ok()) failed = theirs.status();
        if (theirs.ok() && !theirs->has_value()) replaced.push_back(product.id);
        return failed.ok();
      });
  return scanned.ok() ? failed : scanned;
}

/// REQUIRES: import_mutex_ is held. Stores the batch and shows it; vectors that `from` or this shop
/// have stored for the same text are not made again.
absl::Status Shop::TakeOverBatch(catalog::ImportBatch batch, const Shop& from) {
  catalog::StoreBatch& changes = batch.changes;
  if (SizeOf(changes) == 0) return absl::OkStatus();
  if (absl::Status status = CheckMemory(batch); !status.ok()) return status;
  VectorsById vectors;
  std::vector<std::string> texts;
  std::vector<size_t> positions;
  for (size_t i = 0; i < changes.puts.size(); ++i) {
    catalog::ProductPut& put = changes.puts[i];
    const std::string text = retrieval::EmbeddingText(put.product);
    std::optional<std::vector<float>> vector;
    for (const Shop* shop : {&from, static_cast<const Shop*>(this)}) {
      const auto entry = shop->store_->FindStoredEmbedding(put.product.id);
      if (!entry.ok()) return entry.status();
      vector = DecodeStoredEmbedding(*entry, embedder_.model_id(), text, embedder_.dimension());
      if (vector) put.stored_embedding = *entry;
      if (vector) break;
    }
    if (vector) {
      vectors[put.product.id] = *std::move(vector);
    } else {
      positions.push_back(i);
      texts.push_back(text);
    }
  }
  auto made = Embed(texts);
  if (!made.ok()) return made.status();
  for (size_t i = 0; i < positions.size(); ++i) {
    catalog::ProductPut& put = changes.puts[positions[i]];
    put.stored_embedding = EncodeStoredEmbedding(embedder_.model_id(), texts[i], (*made)[i]);
    vectors[put.product.id] = std::move((*made)[i]);
  }
  auto documents = IndexDocuments(changes, &from);
  if (!documents.ok()) return documents.status();
  NoteWritten(changes);
  if (absl::Status status = store_->Write(changes); !status.ok()) return status;
  const absl::Status status =
      UpdateSearch(changes, batch.needs_embedding, vectors, *std::move(documents));
  if (!status.ok()) return status;
  UpdateProfile(changes);
  return absl::OkStatus();
}

}  // namespace emptor::services
