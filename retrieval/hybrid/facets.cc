// Counting, one facet after the other, over the columns of each segment.
#include "retrieval/hybrid/facets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "retrieval/hybrid/word_match.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

/// The filter without the conditions of facets.
Filter WithoutFacets(Filter filter) {
  filter.brands.clear();
  filter.categories.clear();
  filter.colors.clear();
  filter.availability.clear();
  filter.conditions.clear();
  filter.attributes.clear();
  filter.min_price.reset();
  filter.max_price.reset();
  filter.min_rating.reset();
  return filter;
}

/// Values by their folded text, with the spelling that came first.
class Tally {
 public:
  void Add(const std::string& folded, const std::string& shown, size_t count) {
    FacetValue& value = values_[folded];
    if (value.count == 0) value.value = shown;
    value.count += count;
  }

  std::vector<FacetValue> Top(size_t most) const {
    std::vector<FacetValue> top;
    for (const auto& [folded, value] : values_) top.push_back(value);
    std::sort(top.begin(), top.end(), [](const FacetValue& a, const FacetValue& b) {
      return a.count != b.count ? a.count > b.count : a.value < b.value;
    });
    if (top.size() > most) top.resize(most);
    return top;
  }

  size_t size() const { return values_.size(); }

 private:
  std::map<std::string, FacetValue> values_;
};

/// The next round number at or above `value`: 1, 2, 5 times a power of ten, or halves between.
int64_t RoundUp(int64_t value) {
  if (value <= 1) return 1;
  const double power = std::pow(10, std::floor(std::log10(static_cast<double>(value))));
  for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0}) {
    const auto round = static_cast<int64_t>(std::llround(step * power));
    if (round >= value) return round;
  }
  return value;
}

std::vector<FacetPriceRange> SplitPrices(std::vector<int64_t> prices, size_t ranges) {
  if (prices.empty()) return {};
  std::sort(prices.begin(), prices.end());
  std::vector<int64_t> edges;
  for (size_t i = 1; i < ranges; ++i) {
    const int64_t edge = RoundUp(prices[i * prices.size() / ranges]);
    if ((edges.empty() || edge > edges.back()) && edge <= prices.back()) edges.push_back(edge);
  }
  std::vector<FacetPriceRange> split(edges.size() + 1);
  for (size_t i = 0; i < split.size(); ++i) {
    if (i > 0) split[i].min = edges[i - 1];
    if (i < edges.size()) split[i].max = edges[i] - 1;
  }
  for (const int64_t price : prices) {
    const auto edge = std::upper_bound(edges.begin(), edges.end(), price);
    ++split[static_cast<size_t>(edge - edges.begin())].count;
  }
  std::erase_if(split, [](const FacetPriceRange& range) { return range.count == 0; });
  return split;
}

constexpr double kMaxBits = 2;

class Counter {
 public:
  Counter(const Snapshot& snapshot, const Analyzer& analyzer, const SearchRequest& request,
          const RewrittenQuery& rewritten, std::string currency, int64_t now_unix,
          const FacetOptions& options)
      : views_(snapshot.segments),
        filter_(request.filter),
        currency_(std::move(currency)),
        now_unix_(now_unix),
        options_(options) {
    FindMatches(analyzer, request, rewritten);
  }

  Facets Run() {
    Facets facets;
    facets.brands = CountTexts(FilterField::kBrand, Without([](Filter& f) { f.brands.clear(); }));
    facets.categories =
        CountTexts(FilterField::kCategory, Without([](Filter& f) { f.categories.clear(); }));
    facets.colors = CountTexts(FilterField::kColor, Without([](Filter& f) { f.colors.clear(); }));
    CountStates(facets);
    CountPrices(facets);
    CountRatings(facets);
    CountAttributes(facets);
    return facets;
  }

 private:
  using Sets = std::vector<RecordSet>;  // [views]

  void FindMatches(const Analyzer& analyzer, const SearchRequest& request,
                   const RewrittenQuery& rewritten) {
    const CompiledFilter broad(WithoutFacets(request.filter));
    for (size_t s = 0; s < views_.size(); ++s) {
      matches_.push_back(columns(s).Select(broad, now_unix_));
      matches_.back().Intersect(*views_[s].live);
    }
    if (request.browse) return;
    const WordQuery words = CompileWords(analyzer, rewritten, request.quoting(), views_);
    const bool sorts = request.sort != SortOrder::kRelevance;
    matches_ = sorts ? MatchEveryWord(words, views_, std::move(matches_))
                     : MatchAnyWord(words, views_, std::move(matches_));
  }

  template <typename Change>
  Sets Without(Change&& change) const {
    Filter filter = filter_;
    change(filter);
    const CompiledFilter compiled(filter);
    Sets sets = matches_;
    for (size_t s = 0; s < views_.size(); ++s) {
      sets[s].Intersect(columns(s).Select(compiled, now_unix_));
    }
    return sets;
  }

  const FilterColumns& columns(size_t s) const { return views_[s].columns(); }

  /// Calls `visit(id, count)` for each value that records of the set have.
  template <typename Visit>
  void ForEachCount(FilterField field, size_t s, const RecordSet& set, Visit&& visit) const {
    std::vector<size_t> counts(columns(s).value_count(field));
    set.ForEach([&](uint32_t record) {
      for (const uint32_t id : columns(s).values(field, record)) ++counts[id];
    });
    for (uint32_t id = 0; id < counts.size(); ++id) {
      if (counts[id] > 0) visit(id, counts[id]);
    }
  }

  std::vector<FacetValue> CountTexts(FilterField field, const Sets& sets) const {
    Tally tally;
    for (size_t s = 0; s < sets.size(); ++s) {
      ForEachCount(field, s, sets[s], [&](uint32_t id, size_t count) {
        const std::string& value = columns(s).value(field, id);
        // Of categories the elements; a path is its last element and those before it.
        if (field == FilterField::kCategory && value.find('>') != std::string::npos) return;
        tally.Add(FoldFilterValue(field, value), value, count);
      });
    }
    return tally.Top(options_.max_values);
  }

  void CountStates(Facets& facets) const {
    Tally stock, conditions;
    const Sets of_stock = Without([](Filter& f) { f.availability.clear(); });
    const Sets of_condition = Without([](Filter& f) { f.conditions.clear(); });
    for (size_t s = 0; s < views_.size(); ++s) {
      const InventoryColumns& inventory = columns(s).inventory();
      of_stock[s].ForEach([&](uint32_t record) {
        const std::string name(catalog::ToString(inventory.availability(record)));
        stock.Add(name, name, 1);
      });
      of_condition[s].ForEach([&](uint32_t record) {
        const std::string name(catalog::ToString(inventory.condition(record)));
        conditions.Add(name, name, 1);
      });
    }
    facets.availability = stock.Top(options_.max_values);
    facets.conditions = conditions.Top(options_.max_values);
  }

  void CountPrices(Facets& facets) const {
    facets.currency = filter_.currency.empty() ? currency_ : filter_.currency;
    std::vector<int64_t> prices;
    const Sets sets = Without([](Filter& f) {
      f.min_price.reset();
      f.max_price.reset();
    });
    for (size_t s = 0; s < views_.size(); ++s) {
      sets[s].ForEach([&](uint32_t record) {
        const auto price =
            columns(s).inventory().PriceOf(record, facets.currency, filter_.region, now_unix_);
        if (price) prices.push_back(*price);
      });
    }
    facets.prices = SplitPrices(std::move(prices), options_.price_ranges);
  }

  void CountRatings(Facets& facets) const {
    const Sets sets = Without([](Filter& f) { f.min_rating.reset(); });
    for (int least = 4; least >= 1; --least) {
      size_t count = 0;
      for (size_t s = 0; s < views_.size(); ++s) {
        const InventoryColumns& inventory = columns(s).inventory();
        sets[s].ForEach([&](uint32_t record) {
          count += inventory.rating(record) >= static_cast<float>(least);
        });
      }
      if (count > 0) facets.ratings.push_back({least, count});
    }
  }

  struct Named {
    std::string name;
    Tally values;
    size_t records = 0;  // values counted
  };

  /// Values of attributes by the attribute's folded name.
  std::map<std::string, Named> TallyAttributes(const Sets& sets) const {
    std::map<std::string, Named> names;
    for (size_t s = 0; s < sets.size(); ++s) {
      ForEachCount(FilterField::kAttribute, s, sets[s], [&](uint32_t id, size_t count) {
        const std::string& key = columns(s).value(FilterField::kAttribute, id);
        const AttributeParts shown = SplitAttributeKey(key);
        const std::string folded = FoldFilterValue(FilterField::kAttribute, key);
        const AttributeParts parts = SplitAttributeKey(folded);
        Named& named = names[std::string(parts.name)];
        if (named.records == 0) named.name = shown.name;
        named.values.Add(std::string(parts.value), std::string(shown.value), count);
        named.records += count;
      });
    }
    return names;
  }

  /// The usefulness of an attribute: coverage of the records, times the share of its values that
  /// are shown, times their entropy (at most two bits). Attributes of the filter come first.
  void CountAttributes(Facets& facets) const {
    const Sets all = Without([](Filter&) {});
    size_t records = 0;
    for (const RecordSet& set : all) records += set.count();
    std::vector<std::pair<double, FacetAttribute>> ranked;
    for (const AttributeCondition& chosen : filter_.attributes) {
      const Sets sets = Without([&](Filter& f) { std::erase(f.attributes, chosen); });
      const auto names = TallyAttributes(sets);
      const auto found = names.find(FoldForComparison(chosen.name));
      if (found == names.end()) continue;
      ranked.push_back({1e9, {found->second.name, found->second.values.Top(options_.max_values)}});
    }
    const auto is_chosen = [&](const std::string& folded) {
      return std::any_of(
          filter_.attributes.begin(), filter_.attributes.end(),
          [&](const AttributeCondition& each) { return FoldForComparison(each.name) == folded; });
    };
    for (const auto& [folded, named] : TallyAttributes(all)) {
      // Colours have their own facet.
      if (is_chosen(folded) || IsColorProperty(folded) || named.values.size() < 2) continue;
      FacetAttribute facet{named.name, named.values.Top(options_.max_values)};
      size_t shown = 0;  // a serial number is stated by all, and few of its values are shown
      for (const FacetValue& value : facet.values) shown += value.count;
      const double coverage = static_cast<double>(shown) / static_cast<double>(records);
      if (coverage < options_.min_coverage) continue;
      const double shown_share = static_cast<double>(shown) / static_cast<double>(named.records);
      const double bits = std::min(Entropy(facet.values, shown), kMaxBits);
      ranked.emplace_back(coverage * shown_share * bits, std::move(facet));
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [worth, facet] : ranked) {
      if (facets.attributes.size() == options_.max_attributes) break;
      facets.attributes.push_back(std::move(facet));
    }
  }

  /// Entropy of the shown values in bits.
  static double Entropy(const std::vector<FacetValue>& values, size_t records) {
    double bits = 0;
    for (const FacetValue& value : values) {
      const double share = static_cast<double>(value.count) / static_cast<double>(records);
      bits -= share * std::log2(share);
    }
    return bits;
  }

  const std::vector<SegmentView>& views_;
  const Filter& filter_;
  const std::string currency_;
  const int64_t now_unix_;
  const FacetOptions& options_;
  Sets matches_;  // without the conditions of any facet
};

}  // namespace

Facets CountFacets(const Snapshot& snapshot, const Analyzer& analyzer, const SearchRequest& request,
                   const RewrittenQuery& rewritten, const std::string& currency, int64_t now_unix,
                   const FacetOptions& options) {
  return Counter(snapshot, analyzer, request, rewritten, currency, now_unix, options).Run();
}

}  // namespace emptor::retrieval
