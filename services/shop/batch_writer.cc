// Refusals, the write, the search's update, and what a failed write leaves in doubt.
#include "services/shop/batch_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "services/shop/price_changes.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

constexpr double kMebi = 1 << 20;

absl::Status RefuseIfRetired(const WriteState& writes) {
  if (!writes.is_retired) return absl::OkStatus();
  return absl::AbortedError("another generation of the shop is served now; send it again");
}

absl::Status CheckMemory(const ShopParts& parts, const catalog::ImportBatch& batch) {
  const bool has_new_text = !batch.changes.documents.empty() ||
                            std::find(batch.needs_embedding.begin(), batch.needs_embedding.end(),
                                      true) != batch.needs_embedding.end();
  const size_t budget = parts.options.memory_bytes;
  if (budget == 0 || !has_new_text) return absl::OkStatus();
  const size_t held = MemoryBytes(parts);
  if (held < budget) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("shop: memory: {:.1f} MiB of the {:.1f} MiB that it may hold are taken; raise "
                  "shop_megabytes or delete products",
                  static_cast<double>(held) / kMebi, static_cast<double>(budget) / kMebi));
}

void Follow(WriteState& writes, const catalog::ImportBatch& batch) {
  if (!writes.followed) return;
  writes.followed->Add(batch);
  writes.followed_bytes = writes.followed->bytes();
}

/// Counts a change when it ends: searches show it then, or what they show is in doubt, and it is
/// not acknowledged yet.
class CountAtEnd {
 public:
  CountAtEnd(ChangeCounter& changes, bool is_of_prices)
      : changes_(changes), is_of_prices_(is_of_prices) {}
  CountAtEnd(const CountAtEnd&) = delete;
  CountAtEnd& operator=(const CountAtEnd&) = delete;
  ~CountAtEnd() { is_of_prices_ ? changes_.CountPrices() : changes_.CountContent(); }

 private:
  ChangeCounter& changes_;
  const bool is_of_prices_;
};

/// Marks the batch's records for a save that is under way: what it has read of them may be old.
void NoteChanges(ShopParts& parts, const catalog::StoreBatch& changes) {
  WriteState& writes = parts.writes;
  if (writes.touched) {
    for (const catalog::ProductPut& put : changes.puts) writes.touched->insert(put.product.id);
    writes.touched->insert(changes.deleted_products.begin(), changes.deleted_products.end());
  }
  if (writes.duplicates != nullptr) {
    for (const catalog::ProductPut& put : changes.puts) writes.duplicates->Add(put.product);
  }
  parts.saver.NoteChanges(changes.puts.size() + changes.deleted_products.size(),
                          parts.store->info().products);
}

void KeepInDoubt(WriteState& writes, const catalog::StoreBatch& changes) {
  auto& products = writes.products_in_doubt;
  for (const catalog::ProductPut& put : changes.puts) products.insert(put.product.id);
  products.insert(changes.deleted_products.begin(), changes.deleted_products.end());
  auto& documents = writes.documents_in_doubt;
  for (const catalog::Document& each : changes.documents) documents.insert(each.id);
  documents.insert(changes.deleted_documents.begin(), changes.deleted_documents.end());
}

/// `by_id` holds the vector of each product that is put, unless the search has it and
/// `is_new_text[i]` of put i is false.
absl::Status ShowChanges(ShopParts& parts, const catalog::StoreBatch& changes,
                         const std::vector<bool>& is_new_text, VectorsById by_id,
                         std::vector<DocumentPassages> documents) {
  const bool was_in_step = std::exchange(parts.writes.in_step, false);
  std::vector<IndexedProduct> records;
  std::vector<std::string> hidden = changes.deleted_products;
  for (size_t i = 0; i < changes.puts.size(); ++i) {
    const catalog::ProductPut& put = changes.puts[i];
    if (put.product.quarantine.empty()) {
      parts.words->Put(put.product);
      records.push_back({put.product, std::move(by_id[put.product.id]), !is_new_text[i]});
    } else {
      hidden.push_back(put.product.id);
    }
  }
  if (!records.empty()) {
    absl::Status status = parts.products->Upsert(std::move(records));
    if (!status.ok()) return status;
  }
  if (!hidden.empty()) parts.products->Remove(hidden);
  parts.words->Remove(hidden);
  hidden = changes.deleted_documents;
  for (const catalog::Document& document : changes.documents) {
    if (!document.quarantine.empty()) hidden.push_back(document.id);
  }
  absl::Status status = parts.documents->Update(std::move(documents), hidden);
  if (!status.ok()) return status;
  for (const catalog::Document& document : changes.documents) hidden.push_back(document.id);
  parts.faq->NoteDocuments(hidden);
  parts.writes.in_step = was_in_step;
  parts.profile.Add(changes);
  return status;
}

/// Updates the search with the stored state of the records in doubt.
absl::Status SettleDoubts(ShopParts& parts) {
  const CountAtEnd count(parts.changes, /*is_of_prices=*/false);
  catalog::StoreBatch stored;
  std::vector<std::string> texts;
  for (const std::string& id : parts.writes.products_in_doubt) {
    const auto product = parts.store->Find(id);
    if (!product.ok()) return product.status();
    if (!product->has_value()) {
      stored.deleted_products.push_back(id);
      continue;
    }
    stored.puts.push_back({.product = **product});
    texts.push_back(retrieval::EmbeddingText(**product));
  }
  for (const std::string& id : parts.writes.documents_in_doubt) {
    const auto document = parts.store->FindDocument(id);
    if (!document.ok()) return document.status();
    if (document->has_value()) stored.documents.push_back(**document);
    if (!document->has_value()) stored.deleted_documents.push_back(id);
  }
  auto vectors = parts.embeddings.Embed(texts);
  if (!vectors.ok()) return vectors.status();
  VectorsById by_id;
  for (size_t i = 0; i < texts.size(); ++i) {
    by_id[stored.puts[i].product.id] = std::move((*vectors)[i]);
  }
  auto documents = parts.embeddings.EmbedDocuments(stored, {});
  if (!documents.ok()) return documents.status();
  const std::vector<bool> all_new(stored.puts.size(), true);
  absl::Status status =
      ShowChanges(parts, stored, all_new, std::move(by_id), *std::move(documents));
  if (!status.ok()) return status;
  parts.writes.products_in_doubt.clear();
  parts.writes.documents_in_doubt.clear();
  return absl::OkStatus();
}

bool HasDoubts(const WriteState& writes) {
  return !writes.products_in_doubt.empty() || !writes.documents_in_doubt.empty();
}

}  // namespace

absl::Status ResumeWrites(ShopParts& parts) {
  if (absl::Status status = RefuseIfRetired(parts.writes); !status.ok()) return status;
  if (absl::IsResourceExhausted(parts.store->health())) {
    if (absl::Status status = parts.store->Resume(); !status.ok()) return status;
  }
  const bool can_settle = HasDoubts(parts.writes) && parts.store->health().ok();
  return can_settle ? SettleDoubts(parts) : absl::OkStatus();
}

absl::Status WriteBatch(ShopParts& parts, catalog::ImportBatch& batch, const KnownVectors& known) {
  if (absl::Status status = RefuseIfRetired(parts.writes); !status.ok()) return status;
  Follow(parts.writes, batch);
  if (!batch.has_changes()) {
    return batch.changes.metadata.empty() ? absl::OkStatus() : parts.store->Write(batch.changes);
  }
  if (absl::Status status = CheckMemory(parts, batch); !status.ok()) return status;
  NoteChanges(parts, batch.changes);
  auto vectors = parts.embeddings.EmbedProducts(batch, *parts.products, known);
  if (!vectors.ok()) return vectors.status();
  auto documents = parts.embeddings.EmbedDocuments(batch.changes, known);
  if (!documents.ok()) return documents.status();
  const CountAtEnd count(parts.changes, ChangesPricesAlone(*parts.store, batch));
  if (absl::Status status = parts.store->Write(batch.changes); !status.ok()) {
    KeepInDoubt(parts.writes, batch.changes);
    return status;
  }
  return ShowChanges(parts, batch.changes, batch.needs_embedding, *std::move(vectors),
                     *std::move(documents));
}

absl::Status CheckInStep(const ShopParts& parts) {
  if (absl::Status status = parts.store->health(); !status.ok()) return status;
  if (parts.writes.in_step && !HasDoubts(parts.writes)) return absl::OkStatus();
  return absl::FailedPreconditionError("index: it may not hold what the store holds");
}

}  // namespace emptor::services
