// The vectors of a shop: whose they are, and where they come from.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "catalog/encoding/json.h"
#include "services/shop/shop.h"
#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

constexpr size_t kRecordsPerWrite = 256;
/// The note that tells whose vectors a store holds.
constexpr std::string_view kEmbedderMetadata = "embedder";

std::string NoteOf(const retrieval::Embedder& embedder) {
  catalog::JsonWriter writer;
  return writer.BeginObject()
      .Member("model", embedder.model_id())
      .Member("dimension", embedder.dimension())
      .EndObject()
      .Take();
}

absl::StatusOr<std::string> ReadEmbedderMetadata(const catalog::ProductStore& store) {
  std::string note;
  const absl::Status scanned =
      store.ScanMetadata([&](std::string_view name, std::string_view value) {
        if (name == kEmbedderMetadata) note = value;
        return name != kEmbedderMetadata;
      });
  if (!scanned.ok()) return scanned;
  return note;
}

}  // namespace

/// Reads or makes the search, if the vectors that are stored are this embedder's.
absl::Status Shop::LoadVectors() {
  const auto known = ReadEmbedderMetadata(*store_);
  if (!known.ok()) return known.status();
  const std::string mine = NoteOf(embedder_);
  const bool is_other = !known->empty() && *known != mine && store_->info().products > 0;
  if (is_other && !options_.embed_when_changed) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the shop's vectors are those of {}, the embedder is {}: choose the one "
                    "that made them, "
                    "or embed the records anew with `emptor shop reembed` or `emptor shop rebuild`",
                    options_.directory, *known, mine));
  }
  if (is_other) spdlog::info("{}: every record is embedded anew by {}", options_.directory, mine);
  if (absl::Status status = LoadProducts(); !status.ok()) return status;
  if (absl::Status status = LoadDocuments(); !status.ok()) return status;
  if (*known == mine) return absl::OkStatus();
  catalog::StoreBatch batch;
  batch.metadata.push_back({std::string(kEmbedderMetadata), mine});
  return store_->Write(batch);
}

absl::StatusOr<std::vector<std::vector<float>>> Shop::Embed(
    const std::vector<std::string>& texts) const {
  const size_t dimension = static_cast<size_t>(embedder_.dimension());
  std::vector<std::vector<float>> vectors;
  vectors.reserve(texts.size());
  for (size_t begin = 0; begin < texts.size(); begin += options_.embed_batch) {
    const size_t count = std::min(options_.embed_batch, texts.size() - begin);
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

/// Vectors of the batch: those of unchanged text from the store, the others anew.
absl::Status Shop::FillStoredEmbeddings(catalog::ImportBatch& batch, const VectorsByText& prepared,
                                        VectorsById& by_id) {
  std::vector<std::string> texts;
  std::vector<size_t> positions;
  for (size_t i = 0; i < batch.changes.puts.size(); ++i) {
    const catalog::Product& product = batch.changes.puts[i].product;
    // Without a vector a record keeps the one that the search holds.
    if (!batch.needs_embedding[i] && products_->Contains(product.id)) continue;
    std::string text = retrieval::EmbeddingText(product);
    if (!batch.needs_embedding[i]) {
      const auto entry = store_->FindStoredEmbedding(product.id);
      if (!entry.ok()) return entry.status();
      auto vector =
          DecodeStoredEmbedding(*entry, embedder_.model_id(), text, embedder_.dimension());
      if (vector) {
        by_id[product.id] = *std::move(vector);
        continue;
      }
    }
    if (const auto ready = prepared.find(text); ready != prepared.end()) {
      batch.changes.puts[i].stored_embedding =
          EncodeStoredEmbedding(embedder_.model_id(), text, ready->second);
      by_id[product.id] = ready->second;
      continue;
    }
    positions.push_back(i);
    texts.push_back(std::move(text));
  }
  auto vectors = Embed(texts);
  if (!vectors.ok()) return vectors.status();
  for (size_t i = 0; i < positions.size(); ++i) {
    catalog::ProductPut& put = batch.changes.puts[positions[i]];
    put.stored_embedding = EncodeStoredEmbedding(embedder_.model_id(), texts[i], (*vectors)[i]);
    by_id[put.product.id] = std::move((*vectors)[i]);
  }
  return absl::OkStatus();
}

/// Adds the texts of the row's record that have no stored vector.
absl::Status Shop::AddMissing(const catalog::FeedRow& row, std::vector<std::string>& texts) const {
  std::vector<std::string> needed;
  absl::StatusOr<std::string> entry = std::string();
  if (const auto* product = std::get_if<catalog::Product>(&row.record)) {
    needed.push_back(retrieval::EmbeddingText(*product));
    entry = store_->FindStoredEmbedding(product->id);
  } else if (const auto* document = std::get_if<catalog::Document>(&row.record);
             document != nullptr && document->quarantine.empty()) {
    needed = PassagesOf(*document).texts;
    entry = store_->FindDocumentEmbedding(document->id);
  }
  if (!entry.ok()) return entry.status();
  const auto stored =
      FindStoredEmbeddings(*entry, embedder_.model_id(), needed, embedder_.dimension());
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!stored[i]) texts.push_back(std::move(needed[i]));
  }
  return absl::OkStatus();
}

/// Lets the importer embed what a batch needs before it takes the lock: a slow embedder must not
/// keep new prices waiting. What is compared under the lock decides; this only foresees it.
void Shop::PrepareOutsideLock(VectorsByText& prepared, catalog::ImportOptions& options) {
  if (!embedder_.is_slow() || options.dry_run || options.mode == catalog::ImportMode::kDelete) {
    return;
  }
  options.before_batch = [this, &prepared](std::span<const catalog::FeedRow> rows) -> absl::Status {
    prepared.clear();
    std::vector<std::string> texts;
    for (const catalog::FeedRow& row : rows) {
      if (absl::Status status = AddMissing(row, texts); !status.ok()) return status;
    }
    auto vectors = Embed(texts);
    if (!vectors.ok()) return vectors.status();
    for (size_t i = 0; i < texts.size(); ++i) {
      prepared[std::move(texts[i])] = std::move((*vectors)[i]);
    }
    return absl::OkStatus();
  };
}

absl::Status Shop::TakeRecords(const catalog::ProductStore& from) {
  catalog::ImportBatch batch;
  absl::Status status;
  const auto hand_on = [&](size_t enough) {
    const size_t count =
        batch.changes.puts.size() + batch.changes.documents.size() + batch.changes.metadata.size();
    if (!status.ok() || count < enough) return status.ok();
    const std::lock_guard lock(import_mutex_);
    status = Apply(batch);
    batch = {};
    return status.ok();
  };
  absl::Status scanned = from.ScanProducts([&](const catalog::Product& product, std::string_view) {
    batch.changes.puts.push_back({.product = product});
    batch.needs_embedding.push_back(true);
    return hand_on(kRecordsPerWrite);
  });
  if (scanned.ok() && status.ok()) {
    scanned = from.ScanDocuments([&](const catalog::Document& document, std::string_view) {
      batch.changes.documents.push_back(document);
      return hand_on(kRecordsPerWrite);
    });
  }
  if (scanned.ok() && status.ok()) {
    scanned = from.ScanMetadata([&](std::string_view name, std::string_view value) {
      if (name == kEmbedderMetadata) return true;
      batch.changes.metadata.push_back({std::string(name), std::string(value)});
      return hand_on(kRecordsPerWrite);
    });
  }
  if (!scanned.ok()) return scanned;
  hand_on(1);
  return status;
}

}  // namespace emptor::services
