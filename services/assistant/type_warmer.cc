// One thread for each assistant.
#include "services/assistant/type_warmer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace emptor::services {
namespace {

constexpr size_t kCommonTypes = 40;

/// Products of the shop that are, or mention, the type.
size_t ProductsOf(const ShopReader& shop, const ProductType& type, const ShopProfile& profile) {
  size_t products = 0;
  for (const std::string& category : type.categories) {
    const auto found = profile.categories.find(category);
    if (found != profile.categories.end()) products += found->second;
  }
  if (!type.categories.empty()) return products;
  retrieval::SearchRequest request;
  request.query = type.name;
  request.limit = 1;
  request.mode = retrieval::SearchMode::kLexical;
  request.rewrite = false;
  const auto found = shop.SearchProducts(request);
  return found.ok() ? found->matched : 0;
}

}  // namespace

TypeWarmer::TypeWarmer(const ShopReader& shop, std::shared_ptr<TypeCatalog> types,
                       std::string language)
    : shop_(shop), types_(std::move(types)), language_(std::move(language)) {
  types_->AddRefresher();
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

TypeWarmer::~TypeWarmer() { types_->RemoveRefresher(); }

void TypeWarmer::Run(const std::stop_token& stop) {
  LearnCommonTypes(stop);
  while (const auto next = types_->NextOutdated(stop)) {
    // An error is that of the store: the search that needs the table reports it.
    types_->Learn(shop_, next->type, next->locale).IgnoreError();
  }
}

void TypeWarmer::LearnCommonTypes(const std::stop_token& stop) {
  const auto profile = shop_.profile();
  const std::string locale = FilterLanguage(*profile, language_);
  std::vector<std::pair<size_t, ProductType>> types;
  for (ProductType& type : LexiconTypes(*profile)) {
    if (stop.stop_requested()) return;
    const size_t products = ProductsOf(shop_, type, *profile);
    if (products > 0) types.emplace_back(products, std::move(type));
  }
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (types.size() > kCommonTypes) types.resize(kCommonTypes);
  // The commonest last, so that it is the latest used.
  for (auto type = types.rbegin(); type != types.rend() && !stop.stop_requested(); ++type) {
    types_->Learn(shop_, type->second, locale).IgnoreError();
  }
}

}  // namespace emptor::services
