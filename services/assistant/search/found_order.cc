// Stable partitions of hits.
#include "services/assistant/search/found_order.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "services/assistant/search/name_match.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMinName = 4;  // bytes of a name that no lexicon has

/// "Nexon", "C3400": words that no lexicon has.
std::vector<std::string> NamesIn(const std::string& message) {
  std::vector<std::string> names = TellingWords(FoldedMessage(message));
  // "Mosquitoes" are no name.
  std::erase_if(names, [](const std::string& word) {
    return word.size() < kMinName || !IsUnknownWord(word) || !IsUnknownWord(StemOf(word));
  });
  return names;
}

}  // namespace

void KeepListed(const std::vector<std::string>& list, std::vector<FoundProduct>& found) {
  const auto is_listed = [&](const FoundProduct& each) {
    return std::find(list.begin(), list.end(), each.product.id) != list.end();
  };
  if (!std::any_of(found.begin(), found.end(), is_listed)) return;
  std::erase_if(found, [&](const FoundProduct& each) { return !is_listed(each); });
}

void KeepNamed(const std::string& message, std::vector<FoundProduct>& found) {
  const std::vector<std::string> names = NamesIn(message);
  const auto is_named = [&](const FoundProduct& each) {
    return FoldedMessage(each.product.title).HasAny(names);
  };
  if (names.empty() || !std::any_of(found.begin(), found.end(), is_named)) return;
  std::erase_if(found, [&](const FoundProduct& each) { return !is_named(each); });
}

void KeepBest(const RankedKey& rank, int64_t now_unix, const catalog::Market& market,
              std::vector<Source>& products) {
  if (products.empty()) return;
  const auto number = [&](const Source& source) {
    const auto found = RankedValueOf(*source.product(), rank, now_unix, market);
    if (!found) return std::numeric_limits<double>::max();
    return rank.is_least ? found->number : -found->number;
  };
  std::stable_sort(products.begin(), products.end(),
                   [&](const Source& a, const Source& b) { return number(a) < number(b); });
  products.resize(1);
}

std::vector<FoundProduct> RankFound(const RankedKey& rank, int64_t now_unix,
                                    const catalog::Market& market,
                                    std::vector<FoundProduct> found) {
  struct Place {
    std::tuple<double, bool, int64_t> order;
    FoundProduct* product;
  };
  std::vector<Place> places;
  for (FoundProduct& each : found) {
    const auto value = RankedValueOf(each.product, rank, now_unix, market);
    if (!value) continue;
    const bool is_rated = rank.key == "rating" && each.product.rating.has_value();
    places.push_back({{rank.is_least ? value->number : -value->number,
                       each.product.availability != catalog::Availability::kInStock,
                       is_rated ? -static_cast<int64_t>(each.product.rating->count) : 0},
                      &each});
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.order < b.order; });
  std::vector<FoundProduct> ranked;
  for (const Place& each : places) ranked.push_back(std::move(*each.product));
  return ranked;
}

void KeepReduced(int64_t now_unix, const catalog::Market& market,
                 std::vector<FoundProduct>& found) {
  std::erase_if(found, [&](const FoundProduct& each) {
    return !catalog::ComputePayablePrice(each.product, now_unix, market).was_price;
  });
}

}  // namespace emptor::services
