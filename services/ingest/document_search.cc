// Passages in, documents out.
#include "services/ingest/document_search.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "catalog/documents/passages.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

constexpr int kMaxLimit = 1000;  // of a search
constexpr int kWider = 4;        // passages that are looked at for each document wanted

/// A question stands for its answer. Of other documents every word counts: which of a manual's
/// passages fits is told by more than its beginning.
std::string EmbeddedTextOf(const catalog::Document& passage, const catalog::Product& record) {
  if (passage.kind == "faq") return retrieval::EmbeddingText(record);
  return passage.title + "\n" + passage.kind + "\n" + passage.text;
}

}  // namespace

std::vector<std::string> EmbeddedTexts(std::span<const catalog::Document> documents) {
  std::vector<std::string> texts;
  for (const catalog::Document& document : documents) {
    for (const catalog::Passage& passage : catalog::SplitIntoPassages(document)) {
      const catalog::Document part = catalog::DocumentOf(document, passage);
      texts.push_back(EmbeddedTextOf(part, retrieval::AsSearchRecord(part)));
    }
  }
  return texts;
}

absl::StatusOr<std::unique_ptr<DocumentSearch>> DocumentSearch::Create(
    const retrieval::Embedder& embedder, const retrieval::FusionOptions& fusion, EmbedTexts embed) {
  std::unique_ptr<DocumentSearch> search(new DocumentSearch(std::move(embed)));
  retrieval::HybridOptions options;
  options.fusion = fusion;
  auto built = retrieval::HybridSearcher::Build({}, embedder, options);
  if (!built.ok()) return built.status();
  search->passages_ = *std::move(built);
  return search;
}

absl::Status DocumentSearch::Update(std::span<const catalog::Document> documents,
                                    std::span<const std::string> removed) {
  std::vector<IndexedProduct> records;
  std::vector<std::string> texts;
  PassagesByDocument fresh;
  for (const catalog::Document& document : documents) {
    std::vector<std::string>& ids = fresh[document.id];
    if (!ids.empty()) continue;  // a batch names a record once
    for (const catalog::Passage& passage : catalog::SplitIntoPassages(document)) {
      catalog::Document part = catalog::DocumentOf(document, passage);
      part.id = passage.id;
      records.push_back({retrieval::AsSearchRecord(part), {}});
      texts.push_back(EmbeddedTextOf(part, records.back().product));
      ids.push_back(passage.id);
    }
  }
  auto vectors = embed_(std::move(texts));
  if (!vectors.ok()) return vectors.status();
  for (size_t i = 0; i < records.size(); ++i) records[i].vector = std::move((*vectors)[i]);
  const std::vector<std::string> stale = TakeNames(std::move(fresh), removed);
  if (!records.empty()) {
    if (absl::Status status = passages_->Upsert(std::move(records)); !status.ok()) return status;
  }
  if (!stale.empty()) passages_->Remove(stale);
  return absl::OkStatus();
}

/// Gives the passages that are there no more.
std::vector<std::string> DocumentSearch::TakeNames(PassagesByDocument fresh,
                                                   std::span<const std::string> removed) {
  std::vector<std::string> stale;
  const std::lock_guard lock(mutex_);
  const auto forget = [&](const std::string& document) {
    const auto known = passages_of_.find(document);
    if (known == passages_of_.end()) return;
    for (const std::string& passage : known->second) document_of_.erase(passage);
    stale.insert(stale.end(), known->second.begin(), known->second.end());
    passages_of_.erase(known);
  };
  for (const std::string& document : removed) forget(document);
  for (auto& [document, passages] : fresh) {
    forget(document);
    for (const std::string& passage : passages) document_of_[passage] = document;
    passages_of_[document] = std::move(passages);
  }
  std::erase_if(stale, [&](const std::string& passage) { return document_of_.contains(passage); });
  return stale;
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
