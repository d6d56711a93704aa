// Groups by the words that records lack.
#include "services/assistant/search/word_demands.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace emptor::services {
namespace {

/// Positions of the products of the makers that the words name; none where no word names one.
std::vector<uint32_t> MembersOfMaker(const RecordWords& records,
                                     const std::vector<WordCondition>& words) {
  std::vector<uint32_t> made;
  for (const WordCondition& each : words) {
    if (!records.IsMostlyMaker(each.text)) continue;
    const std::vector<uint32_t> own = records.Find(each);
    made.insert(made.end(), own.begin(), own.end());
  }
  std::sort(made.begin(), made.end());
  return made;
}

/// Positions of the products that name the models of the message: "toner for the LaserJet 1320".
/// Those that name all of them, else those that name one; none where no product does.
std::vector<uint32_t> MembersOfModel(const RecordWords& records,
                                     const std::vector<WordCondition>& words) {
  std::vector<uint32_t> all, any;
  bool is_first = true;
  for (const WordCondition& each : words) {
    if (each.quantity || !IsModelWord(each.text)) continue;
    const std::vector<uint32_t> own = records.Find(each);
    if (own.empty()) continue;
    std::vector<uint32_t> both, either;
    std::set_intersection(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(both));
    std::set_union(any.begin(), any.end(), own.begin(), own.end(), std::back_inserter(either));
    all = is_first ? own : both;
    any = std::move(either);
    is_first = false;
  }
  return all.empty() ? any : all;
}

}  // namespace

WordGroups GroupByWords(const TypeTable& table, const std::vector<WordCondition>& words,
                        std::optional<int64_t> min_reviews) {
  if (words.empty() && !min_reviews) return {};
  const auto is_reviewed = [&](uint32_t at) {
    return !min_reviews || table.reviews[at] >= *min_reviews;
  };
  WordGroups groups(1 + words.size() / 2);
  const auto by_coverage = table.schema.words().ByCoverage(words);
  const std::vector<uint32_t> made = MembersOfMaker(table.schema.words(), words);
  const auto is_made = [&](uint32_t at) {
    return made.empty() || std::binary_search(made.begin(), made.end(), at);
  };
  const std::vector<uint32_t> fitting = MembersOfModel(table.schema.words(), words);
  const auto fits = [&](uint32_t at) {
    return fitting.empty() || std::binary_search(fitting.begin(), fitting.end(), at);
  };
  for (size_t missed = 0; missed < std::min(groups.size(), by_coverage.size()); ++missed) {
    for (const uint32_t at : by_coverage[missed]) {
      if (is_reviewed(at) && is_made(at) && fits(at)) groups[missed].push_back(table.members[at]);
    }
  }
  if (!words.empty()) return groups;
  for (uint32_t at = 0; at < table.members.size(); ++at) {
    if (is_reviewed(at)) groups[0].push_back(table.members[at]);
  }
  return groups;
}

void KeepTypical(const TypeTable& table, std::unordered_set<std::string>& ids) {
  const auto is_typical = [&](const std::string& id) { return table.typical.contains(id); };
  if (!std::any_of(ids.begin(), ids.end(), is_typical)) return;
  std::erase_if(ids, [&](const std::string& id) { return !is_typical(id); });
}

absl::StatusOr<WordSearch> SearchByWords(const ShopReader& shop, ProductSearchInput search,
                                         const WordGroups& groups, const TypeTable* table) {
  const auto* const any = search.only;
  std::unordered_set<std::string> ids;
  for (size_t missed = 0; missed < groups.size(); ++missed) {
    if (groups[missed].empty()) continue;
    ids.insert(groups[missed].begin(), groups[missed].end());
    if (missed == 0 && table != nullptr) KeepTypical(*table, ids);
    search.only = &ids;
    auto found = SearchProducts(shop, search);
    if (!found.ok()) return found.status();
    const bool meets_all = !found->items.empty() && found->relaxed.empty();
    if (meets_all) return WordSearch{*std::move(found), missed > 0};
  }
  const bool has_typical = any != nullptr && table != nullptr && !table->typical.empty();
  if (has_typical && any != &table->typical) {
    search.only = &table->typical;
    auto found = SearchProducts(shop, search);
    if (!found.ok()) return found.status();
    const bool meets_all = !found->items.empty() && found->relaxed.empty();
    if (meets_all) return WordSearch{*std::move(found), !groups.empty()};
  }
  search.only = any;
  auto of_any = SearchProducts(shop, search);
  if (!of_any.ok()) return of_any.status();
  if (!of_any->items.empty() || !search.every_hit_fits) {
    return WordSearch{*std::move(of_any), !groups.empty()};
  }
  // No text of the type's records has a word of the message: any of them.
  search.understood->search_text.clear();
  auto found = SearchProducts(shop, search);
  if (!found.ok()) return found.status();
  return WordSearch{*std::move(found), !groups.empty()};
}

absl::StatusOr<std::optional<ProductSearchResult>> SearchBest(const ShopReader& shop,
                                                              ProductSearchInput search,
                                                              const TypeTable& table,
                                                              size_t shown) {
  if (table.best.empty()) return std::nullopt;
  search.only = &table.best;
  search.relaxed.emplace();  // gives nothing up
  auto found = SearchProducts(shop, search);
  if (!found.ok()) return found.status();
  const auto in_stock = std::count_if(found->items.begin(), found->items.end(), [](auto& each) {
    return each.product.availability == catalog::Availability::kInStock;
  });
  if (static_cast<size_t>(in_stock) < shown) return std::nullopt;
  return *std::move(found);
}

absl::Status SearchRest(const ShopReader& shop, ProductSearchInput search, const WordGroups& groups,
                        const TypeTable* table, size_t page_size, ProductSearchResult& first) {
  std::vector<std::string> left;
  if (!groups.empty()) {
    std::unordered_set<std::string> of_words(groups[0].begin(), groups[0].end());
    KeepTypical(*table, of_words);
    for (const std::string& id : groups[0]) {
      if (of_words.contains(id)) left.push_back(id);
    }
  } else if (table != nullptr) {
    left = table->members;
    const auto* const only = search.only;
    if (only != nullptr) std::erase_if(left, [&](auto& id) { return !only->contains(id); });
  }
  std::unordered_set<std::string> seen;
  for (const FoundProduct& each : first.items) seen.insert(each.product.id);
  std::erase_if(left, [&](const std::string& id) { return seen.contains(id); });
  search.understood->filter = first.applied;
  search.relaxed.emplace();
  for (size_t at = 0; at < left.size(); at += page_size) {
    const size_t end = std::min(left.size(), at + page_size);
    const std::unordered_set<std::string> page(left.begin() + static_cast<std::ptrdiff_t>(at),
                                               left.begin() + static_cast<std::ptrdiff_t>(end));
    search.only = &page;
    auto found = SearchProducts(shop, search);
    if (!found.ok()) return found.status();
    std::move(found->items.begin(), found->items.end(), std::back_inserter(first.items));
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
