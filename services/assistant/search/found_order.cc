// Stable partitions of hits.
#include "services/assistant/search/found_order.h"

#include <algorithm>
#include <limits>

#include "services/assistant/reading/condition_changes.h"

namespace emptor::services {

void PutBuyableFirst(int64_t now_unix, const catalog::Market& market,
                     std::vector<FoundProduct>& found) {
  std::stable_partition(found.begin(), found.end(), [&](const FoundProduct& each) {
    return each.product.availability == catalog::Availability::kInStock &&
           catalog::ComputePayablePrice(each.product, now_unix, market).price.has_value();
  });
}

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

void DropOpposed(const std::vector<WordCondition>& words, std::vector<FoundProduct>& found) {
  const auto is_opposed = [&](const FoundProduct& each) {
    return std::any_of(words.begin(), words.end(), [&](const WordCondition& word) {
      return !Meets(each.product.title, word) && StatesAlternative(each.product.title, word, words);
    });
  };
  if (!std::all_of(found.begin(), found.end(), is_opposed)) std::erase_if(found, is_opposed);
}

}  // namespace emptor::services
