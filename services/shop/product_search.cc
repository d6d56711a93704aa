// Understand, search, relax, read the records.
#include "services/shop/product_search.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "retrieval/query/constraints.h"

namespace emptor::services {
namespace {

using retrieval::Filter;
using retrieval::SearchRequest;
using retrieval::SearchResult;

/// Hits looked at when some of them may be left out.
constexpr size_t kCandidates = 40;

class Search {
 public:
  Search(const ShopReader& shop, const ProductSearchInput& input) : shop_(shop), input_(input) {}

  absl::StatusOr<ProductSearchResult> Run() {
    Understand();
    auto found = input_.relaxed ? SearchRelaxed() : SearchFirst();
    if (!found.ok()) return found.status();
    if (absl::Status status = ReadRecords(*found); !status.ok()) return status;
    if (input_.facets) {
      request_.filter = result_.applied;
      auto facets = shop_.CountFacets(request_);
      if (!facets.ok()) return facets.status();
      result_.facets = *std::move(facets);
    }
    return std::move(result_);
  }

 private:
  void Understand() {
    UnderstoodQuery understood = input_.understood ? *input_.understood : Read();
    result_.asked = std::move(understood.filter);
    request_.query = std::move(understood.search_text);
    request_.browse = request_.query.empty();
    // A query without content words, such as "not too expensive", is searched as typed.
    const bool says_nothing = input_.query.find_first_not_of(" \t\r\n") == std::string::npos;
    if (request_.browse && result_.asked.empty() && !says_nothing) {
      request_.query = input_.query;
      request_.browse = false;
    }
    request_.sort = input_.sort;
    request_.currency = shop_.profile()->currency;
    request_.language = input_.language;
    request_.correct = input_.correct;
    request_.quotes = input_.quotes;
    request_.typed = input_.query;
    request_.diversity = input_.diversity;
    // A request for a group is a request for its variants.
    request_.group_variants = input_.group_variants && result_.asked.item_group.empty();
    // One hit more than is shown: is there a next page?
    size_t wanted = input_.shown.size() + static_cast<size_t>(input_.limit) + 1;
    if (input_.only_fitting || !input_.exclude.empty()) wanted = std::max(wanted, kCandidates);
    request_.only = input_.only;
    request_.limit = static_cast<int>(std::min(kMaxShownProducts, wanted));
  }

  UnderstoodQuery Read() const {
    auto constraints = retrieval::ReadConstraints(input_.query, shop_.vocabulary());
    return {std::move(constraints.search_text),
            MergeFilters(constraints.filter, input_.filter, input_.named)};
  }

  bool IsExcluded(const retrieval::Hit& hit) const {
    return std::find(input_.exclude.begin(), input_.exclude.end(), hit.id) != input_.exclude.end();
  }

  /// With a filter and no words, every hit matches.
  bool IsFit(const retrieval::Hit& hit) const {
    return request_.browse || input_.every_hit_fits || Fits(hit);
  }

  bool HasFit(const SearchResult& found) const {
    return std::any_of(found.hits.begin(), found.hits.end(), [this](const retrieval::Hit& hit) {
      return IsFit(hit) && !IsExcluded(hit);
    });
  }

  absl::StatusOr<SearchResult> SearchWith(const Filter& filter) {
    request_.filter = filter;
    return shop_.SearchProducts(request_);
  }

  absl::StatusOr<SearchResult> SearchRelaxed() {
    result_.relaxed = *input_.relaxed;
    result_.applied = ApplyRelaxation(result_.asked, result_.relaxed);
    return SearchWith(result_.applied);
  }

  absl::StatusOr<SearchResult> SearchFirst() {
    result_.applied = result_.asked;
    auto found = SearchWith(result_.asked);
    if (!found.ok()) return found;
    if (!found->hits.empty()) result_.best = found->hits.front();
    if (HasFit(*found)) return found;
    auto relaxed = retrieval::RelaxUntil(result_.asked, input_.named,
                                         [&](const Filter& filter) -> absl::StatusOr<bool> {
                                           const auto fitting = SearchWith(filter);
                                           if (!fitting.ok()) return fitting.status();
                                           return HasFit(*fitting);
                                         });
    if (!relaxed.ok()) return relaxed.status();
    result_.applied = std::move(relaxed->filter);
    result_.relaxed = std::move(relaxed->steps);
    return SearchWith(result_.applied);
  }

  absl::Status ReadRecords(const SearchResult& found) {
    const std::unordered_set<uint64_t> shown(input_.shown.begin(), input_.shown.end());
    size_t taken = 0;
    bool is_left_over = false;
    for (const retrieval::Hit& hit : found.hits) {
      if (shown.count(ShownKey(hit)) != 0 || IsExcluded(hit)) continue;
      if (input_.only_fitting && !IsFit(hit)) continue;
      is_left_over = taken == static_cast<size_t>(input_.limit);
      if (is_left_over) break;
      ++taken;
      auto product = shop_.FindProduct(hit.id);
      if (!product.ok()) return product.status();
      if (*product) result_.items.push_back({**std::move(product), hit});
    }
    result_.total = found.matched;
    result_.words_only = found.words_only;
    result_.corrections = found.corrections;
    result_.searched_text = found.corrected_query;
    result_.asked_text = request_.query;
    result_.has_more = is_left_over && input_.shown.size() + taken < kMaxShownProducts;
    return absl::OkStatus();
  }

  const ShopReader& shop_;
  const ProductSearchInput& input_;
  SearchRequest request_;
  ProductSearchResult result_;
};

}  // namespace

bool Fits(const retrieval::Hit& hit) {
  constexpr float kIdentified = 1;  // the score of an identifier's product
  return hit.lexical_score > 0 || hit.vector_score >= kMinCosine || hit.score >= kIdentified ||
         hit.pinned;
}

uint64_t HashOfText(std::string_view text) {
  const uint64_t hash = catalog::Fnv1a64(text);
  return (hash ^ (hash >> 48)) & 0xFFFFFFFFFFFFull;
}

uint64_t ShownKey(const retrieval::Hit& hit) {
  if (hit.group == 0) return HashOfText(hit.id);
  // A group's number is a hash of its id; mixed, so that a product of the same id has another key.
  return (hit.group * 0x9E3779B97F4A7C15ull) >> 16;
}

absl::StatusOr<ProductSearchResult> SearchProducts(const ShopReader& shop,
                                                   const ProductSearchInput& input) {
  return Search(shop, input).Run();
}

}  // namespace emptor::services
