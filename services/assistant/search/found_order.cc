// Stable partitions of hits.
#include "services/assistant/search/found_order.h"

#include <algorithm>
#include <limits>

namespace emptor::services {

void KeepListed(const std::vector<std::string>& list, std::vector<FoundProduct>& found) {
  const auto is_listed = [&](const FoundProduct& each) {
    return std::find(list.begin(), list.end(), each.product.id) != list.end();
  };
  if (!std::any_of(found.begin(), found.end(), is_listed)) return;
  std::erase_if(found, [&](const FoundProduct& each) { return !is_listed(each); });
}

void KeepBest(const RankedKey& rank, int64_t now_unix, const catalog::Market& market,
              std::vector<Source>& products) {
  if (products.empty()) return;
  const auto number = [&](const Source& source) {
    const auto found = NumberOf(*source.product(), rank.key, now_unix, market);
    if (!found) return std::numeric_limits<double>::max();
    return rank.is_least ? *found : -*found;
  };
  std::stable_sort(products.begin(), products.end(),
                   [&](const Source& a, const Source& b) { return number(a) < number(b); });
  products.resize(1);
}

}  // namespace emptor::services
