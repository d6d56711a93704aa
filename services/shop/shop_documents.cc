// The documents of a shop: their passages, the vectors that are stored beside them, the search.
#include <algorithm>
#include <utility>

#include "services/shop/shop.h"
#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

constexpr size_t kDocumentsPerWrite = 64;

/// Takes the vectors that the stored entry has; true when it has those of this document alone.
bool TakeVectors(std::string_view entry, const retrieval::Embedder& embedder,
                 DocumentPassages& document) {
  auto vectors =
      FindStoredEmbeddings(entry, embedder.model_id(), document.texts, embedder.dimension());
  size_t bytes = 0;
  for (size_t i = 0; i < vectors.size(); ++i) {
    if (!vectors[i]) continue;
    document.records[i].vector = *std::move(vectors[i]);
    bytes += EncodeStoredEmbedding({}, {}, document.records[i].vector).size();
  }
  const bool has_all = std::all_of(document.records.begin(), document.records.end(),
                                   [](const auto& record) { return !record.vector.empty(); });
  return has_all && bytes == entry.size();
}

}  // namespace

absl::StatusOr<uint64_t> Shop::TakeDocuments(const catalog::ProductStore& from,
                                             const std::set<std::string>& but) {
  uint64_t count = 0;
  catalog::ImportBatch batch;
  absl::Status status;
  const auto write = [&](size_t enough) {
    if (batch.changes.documents.size() < enough) return true;
    const std::lock_guard lock(import_mutex_);
    status = Apply(batch);
    batch = {};
    return status.ok();
  };
  const absl::Status scanned =
      from.ScanDocuments([&](const catalog::Document& document, std::string_view) {
        if (but.contains(document.id)) return true;
        batch.changes.documents.push_back(document);
        ++count;
        return write(kDocumentsPerWrite);
      });
  if (!scanned.ok()) return scanned;
  if (status.ok()) write(1);
  if (!status.ok()) return status;
  return count;
}

/// Embeds the passages that have no vector yet, here or in `prepared`; gives the entry of each
/// document.
absl::Status Shop::EmbedPassages(std::span<DocumentPassages> documents,
                                 std::vector<catalog::StoredDocumentEmbedding>& entries,
                                 const VectorsByText& prepared) const {
  std::vector<std::string> texts;
  std::vector<retrieval::IndexedProduct*> records;
  for (DocumentPassages& document : documents) {
    for (size_t i = 0; i < document.records.size(); ++i) {
      if (!document.records[i].vector.empty()) continue;
      if (const auto ready = prepared.find(document.texts[i]); ready != prepared.end()) {
        document.records[i].vector = ready->second;
        continue;
      }
      texts.push_back(document.texts[i]);
      records.push_back(&document.records[i]);
    }
  }
  auto vectors = Embed(texts);
  if (!vectors.ok()) return vectors.status();
  for (size_t i = 0; i < records.size(); ++i) records[i]->vector = std::move((*vectors)[i]);
  for (const DocumentPassages& document : documents) {
    std::vector<std::vector<float>> of_document;
    for (const auto& record : document.records) of_document.push_back(record.vector);
    entries.push_back({document.document_id,
                       EncodeStoredEmbeddings(embedder_.model_id(), document.texts, of_document)});
  }
  return absl::OkStatus();
}

/// The passages of the documents that shoppers may see. Those whose text this shop or `from` (may
/// be null) has stored keep their vectors; the entries join the changes.
absl::StatusOr<std::vector<DocumentPassages>> Shop::IndexDocuments(
    catalog::StoreBatch& changes, const Shop* from, const VectorsByText& prepared) const {
  std::vector<DocumentPassages> stored, fresh;
  for (const catalog::Document& document : changes.documents) {
    if (!document.quarantine.empty()) continue;
    DocumentPassages passages = PassagesOf(document);
    const auto entry = store_->FindDocumentEmbedding(document.id);
    if (!entry.ok()) return entry.status();
    const bool is_stored = TakeVectors(*entry, embedder_, passages);
    if (!is_stored && from != nullptr) {
      const auto theirs = from->store_->FindDocumentEmbedding(document.id);
      if (!theirs.ok()) return theirs.status();
      TakeVectors(*theirs, embedder_, passages);
    }
    (is_stored ? stored : fresh).push_back(std::move(passages));
  }
  if (absl::Status status = EmbedPassages(fresh, changes.document_entries, prepared);
      !status.ok()) {
    return status;
  }
  stored.insert(stored.end(), std::make_move_iterator(fresh.begin()),
                std::make_move_iterator(fresh.end()));
  return stored;
}

absl::Status Shop::LoadDocuments() {
  auto search = DocumentSearch::Create(embedder_, options_.fusion);
  if (!search.ok()) return search.status();
  documents_ = *std::move(search);
  std::vector<DocumentPassages> stored, fresh;
  const absl::Status scanned =
      store_->ScanDocuments([&](const catalog::Document& document, std::string_view entry) {
        if (!document.quarantine.empty()) return true;
        DocumentPassages passages = PassagesOf(document);
        const bool is_stored = TakeVectors(entry, embedder_, passages);
        (is_stored ? stored : fresh).push_back(std::move(passages));
        return true;
      });
  if (!scanned.ok()) return scanned;
  for (size_t begin = 0; begin < fresh.size(); begin += kDocumentsPerWrite) {
    const size_t count = std::min(kDocumentsPerWrite, fresh.size() - begin);
    catalog::StoreBatch batch;
    absl::Status status =
        EmbedPassages(std::span(fresh).subspan(begin, count), batch.document_entries);
    if (status.ok()) status = store_->Write(batch);
    if (!status.ok()) return status;
  }
  stored.insert(stored.end(), std::make_move_iterator(fresh.begin()),
                std::make_move_iterator(fresh.end()));
  return documents_->Update(std::move(stored), {});
}

}  // namespace emptor::services
