// One search; the records of its hits say what they are.
#include "services/assistant/types/found_kinds.h"

#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"

namespace emptor::services {
namespace {

constexpr int kFound = 10;
constexpr size_t kMaxOwnWords = 3;

/// "Water fountain" of "Purrla Brook 2 pet water fountain, quiet".
std::string OwnNameOf(std::string_view title, const GoodsNames& own) {
  const std::vector<std::string> words = SingularWords(FirstHeadOf(title));
  for (size_t count = std::min(kMaxOwnWords, words.size()); count > 0; --count) {
    const std::string name = JoinWords(words, words.size() - count, count);
    if (count > 1 ? own.Has(name) : own.IsHead(name)) return name;
  }
  return "";
}

}  // namespace

std::string KindOf(const catalog::Product& product, const GoodsNames* own) {
  const std::vector<TitleName> named = NamesInTitle(product.title);
  if (!named.empty() && named.back().is_type) return named.back().name;
  if (!product.categories.empty()) return retrieval::FoldWords(LeafOf(product.categories.front()));
  return own == nullptr ? "" : OwnNameOf(product.title, *own);
}

std::vector<FoundKind> FindKinds(const ShopReader& shop, const std::string& message,
                                 const std::string& locale, const GoodsNames* own) {
  retrieval::SearchRequest request;
  request.query = message;
  request.filter.locale = locale;
  request.limit = kFound;
  request.quotes = false;
  const auto found = shop.SearchProducts(request);
  if (!found.ok()) return {};
  std::vector<FoundKind> kinds;
  for (const retrieval::Hit& hit : found->hits) {
    const auto product = shop.FindProduct(hit.id);
    if (!product.ok() || !*product) continue;
    kinds.push_back({KindOf(**product, own), hit.score, hit.vector_score});
  }
  return kinds;
}

}  // namespace emptor::services
