// One thread for each assistant.
#include "services/assistant/types/type_warmer.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace emptor::services {
namespace {

constexpr std::chrono::seconds kGrowthCheck{30};

/// A catalog was imported: by now the shop sells other types.
bool HasGrown(uint64_t before, uint64_t now) { return now > before + before / 4; }

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
  types_->NamesOf(shop_);        // else the first shopper would wait for it
  types_->LearnMeanings(shop_);  // else the first questions would be read in another way
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

TypeWarmer::~TypeWarmer() { types_->RemoveRefresher(); }

void TypeWarmer::Run(const std::stop_token& stop) {
  std::optional<uint64_t> products;  // of the shop, when its types were learned
  while (!stop.stop_requested()) {
    const uint64_t now = shop_.info().products;
    if (!products || HasGrown(*products, now)) {
      products = now;
      LearnSoldTypes(stop);
    }
    const auto next = types_->NextOutdated(stop, kGrowthCheck);
    types_->RefreshOverview(shop_);
    types_->LearnMeanings(shop_);
    // An error is that of the store: the search that needs the table reports it.
    if (next) types_->Learn(shop_, next->type, next->locale).IgnoreError();
  }
}

void TypeWarmer::LearnSoldTypes(const std::stop_token& stop) {
  const auto profile = shop_.profile();
  const std::string locale = FilterLanguage(*profile, language_);
  std::vector<std::pair<size_t, ProductType>> types;
  for (ProductType& type : LexiconTypes(*profile)) {
    if (stop.stop_requested()) return;
    // A product that mentions "net" is no mosquito net.
    const auto sold = types_->IsSold(shop_, type, locale);
    if (!sold.ok() || !*sold) continue;
    types.emplace_back(ProductsOf(shop_, type, *profile), std::move(type));
  }
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [products, type] : types) {
    if (stop.stop_requested() || !types_->HasRoom()) return;
    types_->Learn(shop_, type, locale).IgnoreError();
  }
}

}  // namespace emptor::services
