// A shop: store and search in step.
#include "services/shop/shop.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <span>
#include <utility>

#include "services/shop/shop_memory.h"
#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

}  // namespace

Shop::Shop(const ShopOptions& options, const retrieval::Embedder& embedder)
    : options_(options),
      embedder_(embedder),
      profile_(std::make_shared<const ShopProfile>()),
      saver_(options.saves, [this] { return SaveIndex(); }) {}

absl::StatusOr<std::unique_ptr<Shop>> Shop::Open(const ShopOptions& options,
                                                 const retrieval::Embedder& embedder) {
  std::unique_ptr<Shop> shop(new Shop(options, embedder));
  catalog::StoreOptions store_options = StoreWithin(options.memory_bytes);
  store_options.create_if_missing = options.create_if_missing;
  auto store = catalog::ProductStore::Open(options.directory + "/catalog", store_options);
  if (!store.ok()) return store.status();
  shop->store_ = *std::move(store);
  auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  shop->words_ = std::make_unique<retrieval::ShopWords>(*analyzer);
  if (absl::Status status = shop->ReloadSynonyms(); !status.ok()) return status;
  if (absl::Status status = shop->ReloadPins(); !status.ok()) return status;
  if (absl::Status status = shop->LoadVectors(); !status.ok()) return status;
  shop->BeginWords();
  return shop;
}

absl::StatusOr<std::optional<catalog::Product>> Shop::FindProduct(std::string_view id) const {
  auto product = store_->Find(id);
  const bool hidden = product.ok() && *product && !(*product)->quarantine.empty();
  return hidden ? std::optional<catalog::Product>() : product;
}

absl::StatusOr<std::optional<catalog::Document>> Shop::FindDocument(std::string_view id) const {
  auto document = store_->FindDocument(id);
  const bool hidden = document.ok() && *document && !(*document)->quarantine.empty();
  return hidden ? std::optional<catalog::Document>() : document;
}

absl::StatusOr<retrieval::Facets> Shop::CountFacets(const retrieval::SearchRequest& request) const {
  return products_->CountFacets(request, profile()->currency);
}

absl::StatusOr<std::vector<DocumentHit>> Shop::SearchDocuments(
    const retrieval::SearchRequest& request) const {
  return documents_->Search(request);
}

absl::StatusOr<catalog::ImportReport> Shop::Import(std::istream& stream,
                                                   const catalog::FeedOptions& feed,
                                                   const catalog::ImportOptions& options,
                                                   const catalog::ResultSink& on_result,
                                                   const BatchHook& on_batch) {
  if (const absl::Status status = ReloadSynonyms(); !status.ok()) {
    spdlog::warn("synonyms stay as they were: {}", status.ToString());
  }
  if (const absl::Status status = ReloadPins(); !status.ok()) {
    spdlog::warn("pins stay as they were: {}", status.ToString());
  }
  {
    const std::lock_guard lock(import_mutex_);
    if (absl::Status status = ResumeWrites(); !status.ok()) return status;
  }
  std::unique_ptr<catalog::FeedReader> reader;
  catalog::ImportOptions hooked = options;
  hooked.on_screened = ScreenCounter(options.screen);
  std::shared_ptr<catalog::DuplicateIndex> duplicates;
  if (options.dedupe != catalog::DedupeMode::kOff) {
    auto known = Duplicates();
    if (!known.ok()) return known.status();
    duplicates = *std::move(known);
    hooked.duplicates = duplicates.get();
  }
  if (on_batch) {
    hooked.on_batch = [&](catalog::ImportBatch& batch) { return on_batch(batch, *reader); };
  }
  VectorsByText prepared;
  PrepareOutsideLock(prepared, hooked);
  catalog::Importer importer(
      *store_, import_mutex_, hooked,
      [&](catalog::ImportBatch& batch) { return Apply(batch, prepared); }, on_result);
  reader = catalog::MakeFeedReader(
      feed, [&](catalog::FeedRow&& row) { return importer.Take(std::move(row)); });
  return catalog::ImportFeed(stream, *reader, importer);
}

absl::StatusOr<catalog::LineResult> Shop::Change(catalog::FeedRow row, catalog::ImportMode mode) {
  {
    const std::lock_guard lock(import_mutex_);
    if (absl::Status status = ResumeWrites(); !status.ok()) return status;
  }
  catalog::LineResult result;
  catalog::ImportOptions options{.mode = mode,
                                 .strict = true,
                                 .screen = options_.screen,
                                 .on_screened = ScreenCounter(options_.screen)};
  VectorsByText prepared;
  PrepareOutsideLock(prepared, options);
  catalog::Importer importer(
      *store_, import_mutex_, options,
      [&](catalog::ImportBatch& batch) { return Apply(batch, prepared); },
      [&](const catalog::LineResult& each) { result = each; });
  row.end_offset = std::max<uint64_t>(row.end_offset, 1);
  absl::Status status = importer.Take(std::move(row));
  if (status.ok()) status = importer.Flush();
  if (!status.ok()) return status;
  return result;
}

absl::Status Shop::WriteMetadata(std::vector<catalog::MetadataEntry> notes) {
  const std::lock_guard lock(import_mutex_);
  if (absl::Status status = ResumeWrites(); !status.ok()) return status;
  catalog::ImportBatch batch;
  batch.changes.metadata = std::move(notes);
  return Apply(batch);
}

absl::Status Shop::ScanMetadata(const catalog::ProductStore::MetadataVisitor& visit) const {
  return store_->ScanMetadata(visit);
}

/// Durable first, then visible: a search never shows what a crash could take back.
absl::Status Shop::Apply(catalog::ImportBatch& batch, const VectorsByText& prepared) {
  if (absl::Status status = RefuseIfRetired(); !status.ok()) return status;
  if (written_) {
    written_->Add(batch);
    written_bytes_ = written_->bytes();
  }
  if (!batch.has_changes()) {
    return batch.changes.metadata.empty() ? absl::OkStatus() : store_->Write(batch.changes);
  }
  if (absl::Status status = CheckMemory(batch); !status.ok()) return status;
  NoteWritten(batch.changes);
  VectorsById vectors;
  if (absl::Status status = FillStoredEmbeddings(batch, prepared, vectors); !status.ok())
    return status;
  auto documents = IndexDocuments(batch.changes, nullptr, prepared);
  if (!documents.ok()) return documents.status();
  if (absl::Status status = store_->Write(batch.changes); !status.ok()) {
    KeepInDoubt(batch.changes);
    return status;
  }
  absl::Status status =
      UpdateSearch(batch.changes, batch.needs_embedding, vectors, *std::move(documents));
  if (!status.ok()) return status;
  UpdateProfile(batch.changes);
  return absl::OkStatus();
}

/// Opens the store anew when only room was wanting, and settles what came of failed writes.
absl::Status Shop::ResumeWrites() {
  if (absl::Status status = RefuseIfRetired(); !status.ok()) return status;
  if (absl::IsResourceExhausted(store_->health())) {
    if (absl::Status status = store_->Resume(); !status.ok()) return status;
  }
  const bool any_doubt = !products_in_doubt_.empty() || !documents_in_doubt_.empty();
  return any_doubt && store_->health().ok() ? SettleDoubts() : absl::OkStatus();
}

void Shop::KeepInDoubt(const catalog::StoreBatch& changes) {
  for (const catalog::ProductPut& put : changes.puts) products_in_doubt_.insert(put.product.id);
  products_in_doubt_.insert(changes.deleted_products.begin(), changes.deleted_products.end());
  for (const catalog::Document& each : changes.documents) documents_in_doubt_.insert(each.id);
  documents_in_doubt_.insert(changes.deleted_documents.begin(), changes.deleted_documents.end());
}

/// Brings the search in step with what the store turned out to hold.
absl::Status Shop::SettleDoubts() {
  catalog::StoreBatch stored;
  std::vector<std::string> texts;
  for (const std::string& id : products_in_doubt_) {
    const auto product = store_->Find(id);
    if (!product.ok()) return product.status();
    if (!product->has_value()) {
      stored.deleted_products.push_back(id);
      continue;
    }
    stored.puts.push_back({.product = **product});
    texts.push_back(retrieval::EmbeddingText(**product));
  }
  for (const std::string& id : documents_in_doubt_) {
    const auto document = store_->FindDocument(id);
    if (!document.ok()) return document.status();
    if (document->has_value()) stored.documents.push_back(**document);
    if (!document->has_value()) stored.deleted_documents.push_back(id);
  }
  auto vectors = Embed(texts);
  if (!vectors.ok()) return vectors.status();
  VectorsById by_id;
  for (size_t i = 0; i < texts.size(); ++i) {
    by_id[stored.puts[i].product.id] = std::move((*vectors)[i]);
  }
  const std::vector<bool> all_new(stored.puts.size(), true);
  auto documents = IndexDocuments(stored);
  if (!documents.ok()) return documents.status();
  absl::Status status = UpdateSearch(stored, all_new, by_id, *std::move(documents));
  if (!status.ok()) return status;
  UpdateProfile(stored);
  products_in_doubt_.clear();
  documents_in_doubt_.clear();
  return absl::OkStatus();
}

/// `by_id` holds the vector of each product that is put, unless the search has it and
/// `is_new_text[i]` of put i is false.
absl::Status Shop::UpdateSearch(const catalog::StoreBatch& changes,
                                const std::vector<bool>& is_new_text, VectorsById& by_id,
                                std::vector<DocumentPassages> documents) {
  const bool was_in_step = std::exchange(in_step_, false);
  std::vector<IndexedProduct> records;
  std::vector<std::string> hidden = changes.deleted_products;
  for (size_t i = 0; i < changes.puts.size(); ++i) {
    const catalog::ProductPut& put = changes.puts[i];
    if (put.product.quarantine.empty()) {
      words_->Put(put.product);
      records.push_back({put.product, std::move(by_id[put.product.id]), !is_new_text[i]});
    } else {
      hidden.push_back(put.product.id);
    }
  }
  if (!records.empty()) {
    if (absl::Status status = products_->Upsert(std::move(records)); !status.ok()) return status;
  }
  if (!hidden.empty()) products_->Remove(hidden);
  words_->Remove(hidden);
  hidden = changes.deleted_documents;
  for (const catalog::Document& document : changes.documents) {
    if (!document.quarantine.empty()) hidden.push_back(document.id);
  }
  absl::Status status = documents_->Update(std::move(documents), hidden);
  if (status.ok()) in_step_ = was_in_step;
  return status;
}

retrieval::QueryVocabulary Shop::vocabulary() const {
  retrieval::QueryVocabulary vocabulary;
  vocabulary.currency = profile()->currency;
  vocabulary.find = [this](retrieval::FilterField field,
                           const std::string& folded) -> std::optional<retrieval::CatalogValue> {
    auto known = products_->FindFilterValue(field, folded);
    if (!known) return std::nullopt;
    return retrieval::CatalogValue{std::move(known->text), known->records};
  };
  vocabulary.mentions = [this](const std::string& term) { return products_->CountClaiming(term); };
  vocabulary.has_measure = [this](const std::string& attribute, const std::string& base) {
    return products_->HasMeasure(attribute, base);
  };
  return vocabulary;
}

std::shared_ptr<const ShopProfile> Shop::profile() const {
  std::lock_guard lock(profile_mutex_);
  return profile_;
}

}  // namespace emptor::services
