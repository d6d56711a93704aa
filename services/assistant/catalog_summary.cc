// Counts categories and brands.
#include "services/assistant/catalog_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "services/grounding/phrases.h"

namespace emptor::services {
namespace {

using Counts = std::vector<std::pair<size_t, std::string>>;

constexpr size_t kMaxListed = 8;
constexpr std::string_view kBelow = " > ";

/// The first elements of the paths, the most frequent first.
Counts MainCategories(const std::vector<retrieval::FacetValue>& paths) {
  std::map<std::string, size_t> sums;
  for (const retrieval::FacetValue& path : paths) {
    sums[path.value.substr(0, path.value.find(kBelow))] += path.count;
  }
  Counts counts;
  for (const auto& [name, count] : sums) counts.emplace_back(count, name);
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return counts;
}

std::string Listed(const Counts& counts, const std::string& language) {
  std::string text;
  for (size_t i = 0; i < std::min(counts.size(), kMaxListed); ++i) {
    if (i > 0) text += language == "zh" ? "、" : ", ";
    text += fmt::format("{} ({})", counts[i].second, counts[i].first);
  }
  return text;
}

}  // namespace

std::string DescribeCatalog(const ShopReader& shop, const std::string& language) {
  retrieval::SearchRequest request;
  request.browse = true;
  request.filter.locale = FilterLanguage(*shop.profile(), language);
  const auto facets = shop.CountFacets(request);
  if (!facets.ok()) return Phrase(language, "greeting");
  const Counts categories = MainCategories(facets->categories);
  if (categories.size() > 1) {
    return Phrase(language, "catalog", 0, {{"list", Listed(categories, language)}});
  }
  Counts brands;
  for (const retrieval::FacetValue& each : facets->brands) {
    brands.emplace_back(each.count, each.value);
  }
  if (brands.empty()) return Phrase(language, "greeting");
  return Phrase(language, "catalog_brands", 0, {{"list", Listed(brands, language)}});
}

}  // namespace emptor::services
