// A search for each group of conditions.
#include "services/assistant/search/need_search.h"

#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace emptor::services {
namespace {

using retrieval::Filter;
using retrieval::FilterPart;

constexpr int kOfType = 150;  // by the text alone
constexpr int kOfPart = 60;   // that meet some of the conditions

class Pool {
 public:
  Pool(const ShopReader& shop, ProductSearchInput search, std::vector<FoundProduct>& found)
      : shop_(shop), search_(std::move(search)), found_(found) {
    for (const FoundProduct& each : found) ids_.insert(each.product.id);
    search_.relaxed.emplace();  // gives nothing up
    search_.group_variants = false;
  }

  /// Whether there may be more than were added.
  absl::StatusOr<bool> Add(const Filter& filter, int limit,
                           const std::unordered_set<std::string>* only = nullptr) {
    ProductSearchInput search = search_;
    search.understood->filter = filter;
    search.limit = limit;
    if (only != nullptr) search.only = only;
    auto more = SearchProducts(shop_, search);
    if (!more.ok()) return more.status();
    for (FoundProduct& each : more->items) {
      if (ids_.insert(each.product.id).second) found_.push_back(std::move(each));
    }
    return more->has_more;
  }

 private:
  const ShopReader& shop_;
  ProductSearchInput search_;
  std::vector<FoundProduct>& found_;
  std::set<std::string> ids_;
};

}  // namespace

Filter WithoutNeeds(const Filter& filter, const retrieval::FilterParts& fixed) {
  constexpr FilterPart kNeeds[] = {FilterPart::kAvailability, FilterPart::kMinRating,
                                   FilterPart::kCondition,    FilterPart::kColor,
                                   FilterPart::kAttribute,    FilterPart::kRange,
                                   FilterPart::kPrice,        FilterPart::kBrand};
  Filter open = filter;
  for (const FilterPart part : kNeeds) {
    if (!fixed.contains(part)) CopyPart(part, Filter(), open);
  }
  return open;
}

absl::Status AddCandidates(const ShopReader& shop, const ProductSearchInput& search,
                           const TypeTable& table, const std::vector<WordCondition>& words,
                           std::vector<FoundProduct>& found) {
  const Filter& all = search.understood->filter;
  const Filter open = WithoutNeeds(all, search.named);
  Pool pool(shop, search, found);
  const auto has_more = pool.Add(open, kOfType);
  if (!has_more.ok()) return has_more.status();
  if (!*has_more) return absl::OkStatus();
  Filter bought = open, stated = open;
  for (const FilterPart part : {FilterPart::kPrice, FilterPart::kBrand})
    CopyPart(part, all, bought);
  for (const FilterPart part : {FilterPart::kAttribute, FilterPart::kRange, FilterPart::kColor}) {
    CopyPart(part, all, stated);
  }
  for (const Filter& each : {bought, stated}) {
    if (each == open) continue;
    if (const auto more = pool.Add(each, kOfPart); !more.ok()) return more.status();
  }
  for (const auto& condition : all.attributes) {
    Filter one = open;
    one.attributes = {condition};
    if (all.attributes.size() < 2) break;
    if (const auto more = pool.Add(one, kOfPart); !more.ok()) return more.status();
  }
  for (const WordCondition& word : words) {
    std::unordered_set<std::string> ids;
    for (const uint32_t at : table.schema.words().Find(word)) ids.insert(table.members[at]);
    if (ids.empty()) continue;
    if (const auto more = pool.Add(open, kOfPart, &ids); !more.ok()) return more.status();
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
