// Look-ups, and searches with the merchant's rules.
#include "services/shop/shop_reader.h"

#include <ctime>
#include <utility>

#include "services/shop/shop_parts.h"

namespace emptor::services {
namespace {

/// Nothing in place of a record in quarantine.
template <typename Record>
absl::StatusOr<std::optional<Record>> Visible(absl::StatusOr<std::optional<Record>> record) {
  const bool is_hidden = record.ok() && *record && !(*record)->quarantine.empty();
  if (is_hidden) return std::optional<Record>();
  return record;
}

}  // namespace

absl::StatusOr<std::optional<catalog::Product>> ShopReader::FindProduct(std::string_view id) const {
  return Visible(parts_.store->Find(id));
}

absl::StatusOr<std::optional<catalog::Document>> ShopReader::FindDocument(
    std::string_view id) const {
  return Visible(parts_.store->FindDocument(id));
}

absl::Status ShopReader::VisitProducts(
    const std::function<bool(const catalog::Product&)>& visit) const {
  return parts_.store->ScanProducts([&](const catalog::Product& product, std::string_view) {
    return !product.quarantine.empty() || visit(product);
  });
}

absl::StatusOr<retrieval::SearchResult> ShopReader::SearchProducts(
    const retrieval::SearchRequest& request) const {
  retrieval::SearchRequest placed = request;
  const auto rules = parts_.merchandising.Get();
  retrieval::Merchandising merchandising;
  if (request.merchandising == nullptr && rules->rules.size() > 0) {
    merchandising = rules->rules.Match({.queries = {request.query, request.typed},
                                        .brands = request.filter.brands,
                                        .categories = request.filter.categories,
                                        .now_unix = static_cast<int64_t>(std::time(nullptr))});
    if (!merchandising.empty()) placed.merchandising = &merchandising;
  }
  auto result = parts_.products->Search(placed);
  // What is searched as it is, code has asked: completions are of what shoppers type.
  const bool is_typed = request.rewrite;
  if (is_typed && result.ok() && !result->hits.empty() && result->corrections.empty()) {
    parts_.words->CountQuery(request.query);
  }
  return result;
}

void ShopReader::CountQuery(std::string_view query) const { parts_.words->CountQuery(query); }

absl::StatusOr<std::vector<std::string>> ShopReader::FindProductIds(
    const retrieval::SearchRequest& request) const {
  return parts_.products->FindIds(request);
}

absl::StatusOr<retrieval::Facets> ShopReader::CountFacets(
    const retrieval::SearchRequest& request) const {
  return parts_.products->CountFacets(request, profile()->currency);
}

absl::StatusOr<std::vector<DocumentHit>> ShopReader::SearchDocuments(
    const retrieval::SearchRequest& request) const {
  return parts_.documents->Search(request);
}

const ShopFaq& ShopReader::faq() const { return *parts_.faq; }

std::vector<retrieval::Completion> ShopReader::Complete(std::string_view typed,
                                                        size_t limit) const {
  std::vector<retrieval::Completion> completions =
      parts_.words->dictionary()->Complete(typed, limit);
  // A product may have been deleted or renamed since the completions were made.
  std::erase_if(completions, [this](retrieval::Completion& completion) {
    if (completion.kind != retrieval::CompletionKind::kProduct) return false;
    const auto product = FindProduct(completion.id);
    if (!product.ok() || !product->has_value()) return true;
    completion.text = (*product)->title;
    return false;
  });
  return completions;
}

absl::StatusOr<std::vector<std::vector<float>>> ShopReader::EmbedTexts(
    const std::vector<std::string>& texts) const {
  return parts_.embeddings.Embed(texts);
}

absl::StatusOr<std::vector<float>> ShopReader::EmbedQuery(const std::string& query) const {
  const retrieval::Embedder& embedder = parts_.embeddings.embedder();
  std::vector<float> vector(static_cast<size_t>(embedder.dimension()));
  if (absl::Status status = embedder.EmbedQueryInto(query, vector); !status.ok()) return status;
  return vector;
}

std::shared_ptr<const ShopProfile> ShopReader::profile() const { return parts_.profile.Get(); }

retrieval::QueryVocabulary ShopReader::vocabulary() const {
  retrieval::QueryVocabulary vocabulary;
  vocabulary.currency = profile()->currency;
  const retrieval::HybridSearcher& products = *parts_.products;
  vocabulary.find = [&products](
                        retrieval::FilterField field,
                        const std::string& folded) -> std::optional<retrieval::CatalogValue> {
    auto known = products.FindFilterValue(field, folded);
    if (!known) return std::nullopt;
    return retrieval::CatalogValue{std::move(known->text), known->records};
  };
  vocabulary.mentions = [&products](const std::string& term) {
    return products.CountClaiming(term);
  };
  vocabulary.has_measure = [&products](const std::string& attribute, const std::string& base) {
    return products.HasMeasure(attribute, base);
  };
  return vocabulary;
}

std::string ShopReader::merchandising_json() const { return parts_.merchandising.Get()->json; }

ShopChanges ShopReader::changes() const {
  return {.content = parts_.changes.content(),
          .prices = parts_.changes.prices(),
          .faq = parts_.faq->entries().last_change()};
}

int64_t ShopReader::RulesHoldUntil(int64_t now_unix) const {
  return parts_.merchandising.Get()->rules.NextChange(now_unix);
}

catalog::StoreInfo ShopReader::info() const { return parts_.store->info(); }

retrieval::ShopWords::Stats ShopReader::word_stats() const { return parts_.words->stats(); }

retrieval::HybridSearcher::Stats ShopReader::search_stats() const {
  return parts_.products->stats();
}

DocumentStats ShopReader::document_stats() const { return parts_.documents->stats(); }

size_t ShopReader::memory_bytes() const { return MemoryBytes(parts_); }

absl::Status ShopReader::health() const { return parts_.store->health(); }

}  // namespace emptor::services
