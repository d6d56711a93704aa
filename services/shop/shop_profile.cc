// Counts by brand, language, category and currency.
#include "services/shop/shop_profile.h"

#include <utility>

#include "retrieval/text/fold.h"

namespace emptor::services {
namespace {

constexpr size_t kMinBrandBytes = 2;
constexpr size_t kMaxCategories =
    20000;  // a feed whose paths end in the product's name has no types

/// Sets the currency of most prices.
void SetCurrency(const CurrencyCounts& counts, ShopProfile& profile) {
  size_t most = 0;
  for (const auto& [currency, count] : counts) {
    if (count > most || (count == most && currency < profile.currency)) {
      profile.currency = currency;
      most = count;
    }
  }
  profile.has_prices = most > 0;
}

}  // namespace

void AddToProfile(const catalog::Product& product, ShopProfile& profile, CurrencyCounts& counts) {
  if (!product.quarantine.empty()) return;
  if (product.brand.size() >= kMinBrandBytes) {
    profile.brands.emplace(retrieval::FoldForComparison(product.brand), product.brand);
  }
  if (!product.locale.empty()) ++profile.languages[product.locale.substr(0, 2)];
  for (const std::string& category : product.categories) {
    const bool is_known = profile.categories.contains(category);
    if (is_known || profile.categories.size() < kMaxCategories) ++profile.categories[category];
  }
  CountImageHosts(product, profile.image_hosts);
  if (product.price) ++counts[product.price->currency];
}

std::shared_ptr<const ShopProfile> ProfileTracker::Get() const {
  const std::lock_guard lock(mutex_);
  return profile_;
}

void ProfileTracker::Set(ShopProfile profile, CurrencyCounts counts) {
  counts_ = std::move(counts);
  Publish(std::move(profile));
}

void ProfileTracker::Add(const catalog::StoreBatch& changes) {
  ShopProfile profile = *Get();
  for (const catalog::ProductPut& put : changes.puts) AddToProfile(put.product, profile, counts_);
  Publish(std::move(profile));
}

void ProfileTracker::Publish(ShopProfile profile) {
  SetCurrency(counts_, profile);
  auto shared = std::make_shared<const ShopProfile>(std::move(profile));
  const std::lock_guard lock(mutex_);
  profile_ = std::move(shared);
}

std::string FilterLanguage(const ShopProfile& profile, const std::string& language) {
  if (profile.languages.size() < 2) return "";
  if (profile.languages.contains(language)) return language;
  return profile.languages.contains("en") ? "en" : "";
}

}  // namespace emptor::services
