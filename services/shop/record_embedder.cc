// Stored vectors first, then those embedded ahead, then the embedder in batches.
#include "services/shop/record_embedder.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

const std::vector<float>* FindPrepared(const VectorsByText* prepared, const std::string& text) {
  if (prepared == nullptr) return nullptr;
  const auto found = prepared->find(text);
  return found == prepared->end() ? nullptr : &found->second;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<float>>> RecordEmbedder::Embed(
    const std::vector<std::string>& texts) const {
  const size_t dimension = static_cast<size_t>(embedder_.dimension());
  std::vector<std::vector<float>> vectors;
  vectors.reserve(texts.size());
  for (size_t begin = 0; begin < texts.size(); begin += batch_size_) {
    const size_t count = std::min(batch_size_, texts.size() - begin);
    std::vector<float> rows(count * dimension);
    const auto batch = std::span(texts).subspan(begin, count);
    if (absl::Status status = embedder_.EmbedInto(batch, rows); !status.ok()) return status;
    for (size_t i = 0; i < count; ++i) {
      const auto row = rows.begin() + static_cast<std::ptrdiff_t>(i * dimension);
      vectors.emplace_back(row, row + static_cast<std::ptrdiff_t>(dimension));
    }
  }
  return vectors;
}

/// The vector that `store` has for this text of the product; its stored form joins the put when the
/// store is another's.
absl::StatusOr<std::optional<std::vector<float>>> RecordEmbedder::FindStored(
    const catalog::ProductStore& store, catalog::ProductPut& put, const std::string& text) const {
  auto entry = store.FindStoredEmbedding(put.product.id);
  if (!entry.ok()) return entry.status();
  auto vector = DecodeStoredEmbedding(*entry, embedder_.model_id(), text, embedder_.dimension());
  if (vector && &store != &store_) put.stored_embedding = *std::move(entry);
  return vector;
}

absl::StatusOr<VectorsById> RecordEmbedder::EmbedProducts(catalog::ImportBatch& batch,
                                                          const retrieval::HybridSearcher& searched,
                                                          const KnownVectors& known) const {
  VectorsById by_id;
  std::vector<std::string> texts;
  std::vector<catalog::ProductPut*> puts;
  const auto take = [&](catalog::ProductPut& put, const std::string& text,
                        std::vector<float> vector) {
    put.stored_embedding = EncodeStoredEmbedding(embedder_.model_id(), text, vector);
    by_id[put.product.id] = std::move(vector);
  };
  for (size_t i = 0; i < batch.changes.puts.size(); ++i) {
    catalog::ProductPut& put = batch.changes.puts[i];
    const bool is_new_text = batch.needs_embedding[i];
    if (!is_new_text && searched.Contains(put.product.id)) continue;
    std::string text = retrieval::EmbeddingText(put.product);
    std::optional<std::vector<float>> stored;
    for (const catalog::ProductStore* store : {known.other, is_new_text ? nullptr : &store_}) {
      if (store == nullptr || stored) continue;
      auto found = FindStored(*store, put, text);
      if (!found.ok()) return found.status();
      stored = *std::move(found);
    }
    if (stored) {
      by_id[put.product.id] = *std::move(stored);
    } else if (const auto* prepared = FindPrepared(known.prepared, text)) {
      take(put, text, *prepared);
    } else {
      puts.push_back(&put);
      texts.push_back(std::move(text));
    }
  }
  auto vectors = Embed(texts);
  if (!vectors.ok()) return vectors.status();
  for (size_t i = 0; i < puts.size(); ++i) take(*puts[i], texts[i], std::move((*vectors)[i]));
  return by_id;
}

bool RecordEmbedder::TakeStored(std::string_view entry, DocumentPassages& document) const {
  auto vectors =
      FindStoredEmbeddings(entry, embedder_.model_id(), document.texts, embedder_.dimension());
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

absl::StatusOr<std::vector<catalog::StoredDocumentEmbedding>> RecordEmbedder::EmbedPassages(
    std::span<DocumentPassages> documents, const VectorsByText* prepared) const {
  std::vector<std::string> texts;
  std::vector<retrieval::IndexedProduct*> records;
  for (DocumentPassages& document : documents) {
    for (size_t i = 0; i < document.records.size(); ++i) {
      if (!document.records[i].vector.empty()) continue;
      if (const auto* ready = FindPrepared(prepared, document.texts[i])) {
        document.records[i].vector = *ready;
        continue;
      }
      texts.push_back(document.texts[i]);
      records.push_back(&document.records[i]);
    }
  }
  auto vectors = Embed(texts);
  if (!vectors.ok()) return vectors.status();
  for (size_t i = 0; i < records.size(); ++i) records[i]->vector = std::move((*vectors)[i]);
  std::vector<catalog::StoredDocumentEmbedding> entries;
  for (const DocumentPassages& document : documents) {
    std::vector<std::vector<float>> of_document;
    for (const auto& record : document.records) of_document.push_back(record.vector);
    entries.push_back({document.document_id,
                       EncodeStoredEmbeddings(embedder_.model_id(), document.texts, of_document)});
  }
  return entries;
}

absl::StatusOr<std::vector<DocumentPassages>> RecordEmbedder::EmbedDocuments(
    catalog::StoreBatch& changes, const KnownVectors& known) const {
  std::vector<DocumentPassages> stored, fresh;
  for (const catalog::Document& document : changes.documents) {
    if (!document.quarantine.empty()) continue;
    DocumentPassages passages = PassagesOf(document);
    const auto entry = store_.FindDocumentEmbedding(document.id);
    if (!entry.ok()) return entry.status();
    const bool is_stored = TakeStored(*entry, passages);
    if (!is_stored && known.other != nullptr) {
      const auto theirs = known.other->FindDocumentEmbedding(document.id);
      if (!theirs.ok()) return theirs.status();
      TakeStored(*theirs, passages);
    }
    (is_stored ? stored : fresh).push_back(std::move(passages));
  }
  auto entries = EmbedPassages(fresh, known.prepared);
  if (!entries.ok()) return entries.status();
  std::move(entries->begin(), entries->end(), std::back_inserter(changes.document_entries));
  std::move(fresh.begin(), fresh.end(), std::back_inserter(stored));
  return stored;
}

/// Adds the texts of the row's record that have no stored vector.
absl::Status RecordEmbedder::AddMissing(const catalog::FeedRow& row,
                                        std::vector<std::string>& texts) const {
  std::vector<std::string> needed;
  absl::StatusOr<std::string> entry = std::string();
  if (const auto* product = std::get_if<catalog::Product>(&row.record)) {
    needed.push_back(retrieval::EmbeddingText(*product));
    entry = store_.FindStoredEmbedding(product->id);
  } else if (const auto* document = std::get_if<catalog::Document>(&row.record);
             document != nullptr && document->quarantine.empty()) {
    needed = PassagesOf(*document).texts;
    entry = store_.FindDocumentEmbedding(document->id);
  }
  if (!entry.ok()) return entry.status();
  const auto stored =
      FindStoredEmbeddings(*entry, embedder_.model_id(), needed, embedder_.dimension());
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!stored[i]) texts.push_back(std::move(needed[i]));
  }
  return absl::OkStatus();
}

absl::StatusOr<VectorsByText> RecordEmbedder::EmbedAhead(
    std::span<const catalog::FeedRow> rows) const {
  std::vector<std::string> texts;
  for (const catalog::FeedRow& row : rows) {
    if (absl::Status status = AddMissing(row, texts); !status.ok()) return status;
  }
  auto vectors = Embed(texts);
  if (!vectors.ok()) return vectors.status();
  VectorsByText prepared;
  for (size_t i = 0; i < texts.size(); ++i) {
    prepared[std::move(texts[i])] = std::move((*vectors)[i]);
  }
  return prepared;
}

}  // namespace emptor::services
