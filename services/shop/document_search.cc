// Passages in, documents out.
#include "services/shop/document_search.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "catalog/documents/passages.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

constexpr int kMaxLimit = 1000;  // of a search
constexpr int kWider = 4;        // passages searched for each document wanted

/// An FAQ is embedded by its question. Of other documents the whole passage is embedded: its
/// beginning does not say which passage of a manual fits.
std::string EmbeddedTextOf(const catalog::Document& passage, const catalog::Product& record) {
  if (passage.kind == "faq") return retrieval::EmbeddingText(record);
  return passage.title + "\n" + passage.kind + "\n" + passage.text;
}

}  // namespace

DocumentPassages PassagesOf(const catalog::Document& document) {
  DocumentPassages passages{.document_id = document.id, .records = {}, .texts = {}};
  for (const catalog::Passage& passage : catalog::SplitIntoPassages(document)) {
    catalog::Document part = catalog::DocumentOf(document, passage);
    part.id = passage.id;
    passages.records.push_back({retrieval::AsSearchRecord(part), {}});
    passages.texts.push_back(EmbeddedTextOf(part, passages.records.back().product));
  }
  return passages;
}

absl::StatusOr<std::unique_ptr<DocumentSearch>> DocumentSearch::Create(
    const retrieval::Embedder& embedder, const retrieval::FusionOptions& fusion) {
  std::unique_ptr<DocumentSearch> search(new DocumentSearch());
  retrieval::HybridOptions options;
  options.fusion = fusion;
  auto built = retrieval::HybridSearcher::Build({}, embedder, options);
  if (!built.ok()) return built.status();
  search->passages_ = *std::move(built);
  return search;
}

absl::Status DocumentSearch::Update(std::vector<DocumentPassages> documents,
                                    std::span<const std::string> removed) {
  std::vector<IndexedProduct> records;
  KnownDocuments fresh;
  for (DocumentPassages& document : documents) {
    Known& known = fresh[document.document_id];
    for (size_t i = 0; i < document.records.size(); ++i) {
      known.passages.push_back(document.records[i].product.id);
      known.bytes += document.texts[i].size();
      records.push_back(std::move(document.records[i]));
    }
  }
  const std::vector<std::string> stale = TakeNames(std::move(fresh), removed);
  if (!records.empty()) {
    if (absl::Status status = passages_->Upsert(std::move(records)); !status.ok()) return status;
  }
  if (!stale.empty()) passages_->Remove(stale);
  return absl::OkStatus();
}

/// Returns the passages that no longer exist.
std::vector<std::string> DocumentSearch::TakeNames(KnownDocuments fresh,
                                                   std::span<const std::string> removed) {
  std::vector<std::string> stale;
  const std::lock_guard lock(mutex_);
  const auto forget = [&](const std::string& document) {
    const auto known = documents_.find(document);
    if (known == documents_.end()) return;
    for (std::string& passage : known->second.passages) {
      document_of_.erase(passage);
      stale.push_back(std::move(passage));
    }
    bytes_ -= known->second.bytes;
    documents_.erase(known);
  };
  for (const std::string& document : removed) forget(document);
  for (auto& [document, known] : fresh) {
    forget(document);
    for (const std::string& passage : known.passages) document_of_[passage] = document;
    bytes_ += known.bytes;
    documents_[document] = std::move(known);
  }
  std::erase_if(stale, [&](const std::string& passage) { return document_of_.contains(passage); });
  return stale;
}

DocumentStats DocumentSearch::stats() const {
  const std::lock_guard lock(mutex_);
  return {document_of_.size(), bytes_, passages_->stats().words_only_searches};
}

absl::StatusOr<std::vector<DocumentHit>> DocumentSearch::Search(
    const retrieval::SearchRequest& request) const {
  retrieval::SearchRequest wider = request;
  const bool is_valid = request.limit >= 1 && request.limit <= kMaxLimit;
  if (is_valid) wider.limit = std::min(kMaxLimit, kWider * request.limit);
  for (;; wider.limit = std::min(kMaxLimit, kWider * wider.limit)) {
    auto found = passages_->Search(wider);
    if (!found.ok()) return found.status();
    const bool is_all =
        found->hits.size() < static_cast<size_t>(wider.limit) || wider.limit == kMaxLimit;
    const auto limit = static_cast<size_t>(request.limit);
    std::vector<DocumentHit> best = BestPassages(std::move(found->hits), limit);
    if (is_all || best.size() == limit) return best;
  }
}

std::vector<DocumentHit> DocumentSearch::BestPassages(std::vector<retrieval::Hit> hits,
                                                      size_t limit) const {
  std::vector<DocumentHit> best;
  std::unordered_set<std::string> seen;
  const std::lock_guard lock(mutex_);
  for (retrieval::Hit& hit : hits) {
    const auto document = document_of_.find(hit.id);
    const bool is_new = document != document_of_.end() && seen.insert(document->second).second;
    if (!is_new) continue;
    std::string passage = std::exchange(hit.id, document->second);
    best.push_back({std::move(hit), std::move(passage)});
    if (best.size() == limit) break;
  }
  return best;
}

}  // namespace emptor::services
