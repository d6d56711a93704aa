// A search for each type that helps.
#include "services/assistant/search/advice_search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "services/assistant/types/needs.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxTypes = 3;    // of one answer
constexpr int kFound = 60;         // of each type
constexpr size_t kConsidered = 8;  // of these, among which ratings choose
/// A rating counts as if so many more people had given `kUsualRating`.
constexpr double kUsualRating = 3.8, kUsualCount = 40;

double WorthOf(const catalog::Product& product) {
  const bool is_there = product.availability == catalog::Availability::kInStock;
  double sum = kUsualRating * kUsualCount, count = kUsualCount;
  if (product.rating) {
    const auto people = static_cast<double>(product.rating->count);
    sum += product.rating->value * people;
    count += people;
  }
  return sum / count + (is_there ? 1 : 0);
}

/// Nothing that fits: an empty list, never one that meets less.
absl::StatusOr<std::vector<FoundProduct>> FindOfType(const ShopReader& shop,
                                                     const ProductSearchInput& search,
                                                     std::optional<double> age) {
  auto found = SearchProducts(shop, search);
  if (!found.ok()) return found.status();
  if (!found->relaxed.empty()) return std::vector<FoundProduct>();
  std::erase_if(found->items, [&](const FoundProduct& each) {
    const auto min_age = age ? MinAgeOf(each.product) : std::nullopt;
    return min_age && *min_age > *age;
  });
  if (found->items.size() > kConsidered) found->items.resize(kConsidered);
  std::stable_sort(found->items.begin(), found->items.end(), [](const auto& a, const auto& b) {
    return WorthOf(a.product) > WorthOf(b.product);
  });
  return std::move(found->items);
}

}  // namespace

absl::StatusOr<std::vector<FoundProduct>> FindAdvised(const ShopReader& shop,
                                                      const ProductSearchInput& search,
                                                      const TypeTable& table,
                                                      const Understanding& understanding,
                                                      size_t limit) {
  const std::vector<retrieval::AttributeCondition>& wishes = understanding.wishes;
  ProductSearchInput of_type = search;
  of_type.limit = kFound;
  ProductSearchInput wished = of_type;
  auto& conditions = wished.understood->filter.attributes;
  conditions.insert(conditions.end(), wishes.begin(), wishes.end());
  std::vector<std::vector<FoundProduct>> types;
  for (const auto& members : table.advised) {
    of_type.only = wished.only = &members;
    auto found = FindOfType(shop, wished, understanding.age);
    if (found.ok() && found->empty() && !wishes.empty())
      found = FindOfType(shop, of_type, understanding.age);
    if (!found.ok()) return found.status();
    if (!found->empty()) types.push_back(*std::move(found));
    if (types.size() == kMaxTypes) break;
  }
  std::vector<FoundProduct> turns;
  for (size_t round = 0; turns.size() < limit && round < kConsidered; ++round) {
    for (auto& type : types) {
      if (round < type.size() && turns.size() < limit) turns.push_back(std::move(type[round]));
    }
  }
  return turns;
}

}  // namespace emptor::services
