// Sums over all products of a shop: its brands, languages, categories and currency.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "catalog/product.h"
#include "catalog/product_store.h"
#include "services/shop/image_hosts.h"

namespace emptor::services {

struct ShopProfile {
  std::string currency = "USD";                         // of most prices
  bool has_prices = false;                              // else `currency` is a guess
  std::unordered_map<std::string, std::string> brands;  // folded -> as the shop writes it
  std::unordered_map<std::string, size_t> languages;    // "en" -> products
  std::unordered_map<std::string, size_t> categories;   // "Kitchen > Kettles" -> products
  ImageHostCounts image_hosts;
};

/// The language to which a search for shoppers of `language` is limited: their own, else English,
/// where records have several; empty: none. Pure.
std::string FilterLanguage(const ShopProfile& profile, const std::string& language);

using CurrencyCounts = std::unordered_map<std::string, size_t>;

/// Adds a product to the sums; one in quarantine does not count. Leaves profile.currency alone.
void AddToProfile(const catalog::Product& product, ShopProfile& profile, CurrencyCounts& counts);

/// Keeps the profile up to date while products are written. Products that are replaced or deleted
/// stay counted until the profile is read from the records again.
/// Thread-safety: Get from any thread; calls of Set and Add are serialised by the caller.
class ProfileTracker {
 public:
  ProfileTracker() : profile_(std::make_shared<const ShopProfile>()) {}

  std::shared_ptr<const ShopProfile> Get() const;
  void Set(ShopProfile profile, CurrencyCounts counts);
  void Add(const catalog::StoreBatch& changes);

 private:
  void Publish(ShopProfile profile);

  CurrencyCounts counts_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ShopProfile> profile_;  // guarded by mutex_
};

}  // namespace emptor::services
