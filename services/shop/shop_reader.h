// What may be read of a shop: records, searches, completions, statistics.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "catalog/product_store.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/query/vocabulary.h"
#include "retrieval/words/shop_words.h"
#include "services/shop/document_search.h"
#include "services/shop/shop_changes.h"
#include "services/shop/shop_profile.h"

namespace emptor::services {

class ShopFaq;
struct ShopParts;

/// Changes nothing. The assistant, the search and the public routes see a shop through this alone.
/// Thread-safety: any thread. Lifetime: within the Shop's.
class ShopReader {
 public:
  explicit ShopReader(const ShopParts& parts) : parts_(parts) {}

  /// The record as it is stored now. Nothing for one in quarantine, which no search finds either.
  /// Errors: of the store.
  absl::StatusOr<std::optional<catalog::Product>> FindProduct(std::string_view id) const;
  absl::StatusOr<std::optional<catalog::Document>> FindDocument(std::string_view id) const;

  /// Calls `visit` for every product that a search may find, in the order of ids, over one
  /// snapshot, until it returns false. Errors: of the store.
  absl::Status VisitProducts(const std::function<bool(const catalog::Product&)>& visit) const;

  /// One search as it is asked, with the merchandising rules that match it. For searches that
  /// understand the words and relax conditions see product_search.h. Errors: as
  /// HybridSearcher::Search.
  absl::StatusOr<retrieval::SearchResult> SearchProducts(
      const retrieval::SearchRequest& request) const;
  /// Counts a query for completions, as SearchProducts does, of an answer that was found before.
  void CountQuery(std::string_view query) const;
  /// The ids of all products that match, without a ranking. Errors: as HybridSearcher::FindIds.
  absl::StatusOr<std::vector<std::string>> FindProductIds(
      const retrieval::SearchRequest& request) const;
  /// Prices are in the filter's currency, else in the shop's. Errors: as SearchProducts.
  absl::StatusOr<retrieval::Facets> CountFacets(const retrieval::SearchRequest& request) const;
  /// Documents, each with its best passage. Errors: as SearchProducts.
  absl::StatusOr<std::vector<DocumentHit>> SearchDocuments(
      const retrieval::SearchRequest& request) const;
  /// Proposals for the text in the search box, titles as they are stored now.
  std::vector<retrieval::Completion> Complete(std::string_view typed, size_t limit) const;

  /// The FAQ's entries, and the look-up over them and over documents of kind faq.
  const ShopFaq& faq() const;

  /// Vectors of texts, and of a query, by the embedder of the search. Errors: those of the
  /// embedder.
  absl::StatusOr<std::vector<std::vector<float>>> EmbedTexts(
      const std::vector<std::string>& texts) const;
  absl::StatusOr<std::vector<float>> EmbedQuery(const std::string& query) const;

  std::shared_ptr<const ShopProfile> profile() const;
  /// What the catalog knows, for understanding queries. Lifetime: within the shop's.
  retrieval::QueryVocabulary vocabulary() const;
  /// The merchandising rules, as they were set (docs/formats/pins.md).
  std::string merchandising_json() const;

  /// Every change that was acknowledged is counted.
  ShopChanges changes() const;
  /// The first time after `now_unix` at which a merchandising rule begins or ends to hold;
  /// INT64_MAX: none does.
  int64_t RulesHoldUntil(int64_t now_unix) const;

  catalog::StoreInfo info() const;
  retrieval::ShopWords::Stats word_stats() const;
  retrieval::HybridSearcher::Stats search_stats() const;
  DocumentStats document_stats() const;
  /// Bytes in memory, caches taken as full. Near enough for a budget.
  size_t memory_bytes() const;
  /// OK, or why the store takes no more writes.
  absl::Status health() const;

 private:
  const ShopParts& parts_;
};

}  // namespace emptor::services
