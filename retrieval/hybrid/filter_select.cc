// From a filter to the set of records that meet it.
#include <algorithm>
#include <limits>

#include "retrieval/hybrid/filter_columns.h"
#include "retrieval/hybrid/filter_terms.h"
#include "retrieval/hybrid/term_records.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"

namespace emptor::retrieval {
namespace {

/// Drops the members that `pass` refuses, a word of the set at a time.
template <typename Pass>
void KeepIf(RecordSet& set, Pass&& pass) {
  set.ForEach([&](uint32_t record) {
    if (!pass(record)) set.Erase(record);
  });
}

void FoldAll(FilterField field, std::vector<std::string>& values) {
  for (std::string& value : values) value = FoldFilterValue(field, value);
}

/// True when `name` holds the words of `wanted` in their order, one behind the other.
bool HoldsWords(std::string_view name, std::string_view wanted) {
  const auto is_edge = [](std::string_view text, size_t at) {
    return at >= text.size() || text[at] == ' ' || text[at] == '(' || text[at] == ')' ||
           text[at] == '-';
  };
  for (size_t at = name.find(wanted); at != std::string_view::npos;
       at = name.find(wanted, at + 1)) {
    if ((at == 0 || is_edge(name, at - 1)) && is_edge(name, at + wanted.size())) return true;
  }
  return false;
}

/// A range in base units, its bounds moved by the tolerance: outwards, or inwards where open.
struct BaseBounds {
  std::string base;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

BaseBounds ToBase(const NumericRange& range) {
  BaseBounds bounds;
  double factor = 1;
  if (!range.unit.empty()) {
    const auto unit = FindUnit(range.unit);
    bounds.base = unit ? std::string(unit->base) : range.unit;
    factor = unit ? unit->factor : 1;
  }
  // Counts are exact; a float's rounding aside.
  const double slack = bounds.base.empty() ? 1e-6 : MeasureTolerance(bounds.base);
  if (range.min) bounds.low = *range.min * factor * (1 + (range.min_open ? slack : -slack));
  if (range.max) bounds.high = *range.max * factor * (1 + (range.max_open ? -slack : slack));
  return bounds;
}

/// The first step of each list holds from the beginning of time.
bool IsSameList(const FilterColumnData::Price& first, const FilterColumnData::Price& step) {
  return step.region == first.region && step.currency == first.currency &&
         step.from_unix != std::numeric_limits<int64_t>::min();
}

}  // namespace

CompiledFilter::CompiledFilter(const Filter& original) : filter(original) {
  FoldAll(FilterField::kBrand, filter.brands);
  FoldAll(FilterField::kBrand, filter.excluded_brands);
  FoldAll(FilterField::kCategory, filter.categories);
  FoldAll(FilterField::kCategory, filter.excluded_categories);
  FoldAll(FilterField::kColor, filter.colors);
  filter.locale = FoldFilterValue(FilterField::kLocale, filter.locale);
  filter.location = FoldFilterValue(FilterField::kLocation, filter.location);
  filter.item_group = FoldFilterValue(FilterField::kItemGroup, filter.item_group);
  for (AttributeCondition& condition : filter.attributes) {
    for (std::string& value : condition.values) {
      value = FoldFilterValue(FilterField::kAttribute, AttributeKey(condition.name, value));
    }
  }
  for (NumericRange& range : filter.ranges) {
    range.attribute = FoldForComparison(range.attribute);
    range.unit = FoldForComparison(range.unit);
  }
  for (const std::string& text : filter.excluded_terms) excluded.push_back(ExclusionTerms(text));
}

std::vector<bool> FilterColumns::IdsOf(FilterField field,
                                       const std::vector<std::string>& folded) const {
  std::vector<bool> ids(value_count(field));
  for (const std::string& text : folded) {
    if (const auto known = Find(field, text)) ids[known->id] = true;
  }
  return ids;
}

void FilterColumns::KeepAnyOf(FilterField field, const std::vector<std::string>& wanted,
                              RecordSet& set) const {
  if (wanted.empty()) return;
  const std::vector<bool> passes = IdsOf(field, wanted);
  KeepIf(set, [&](uint32_t record) {
    const auto ids = values(field, record);
    return std::any_of(ids.begin(), ids.end(), [&](uint32_t id) { return passes[id]; });
  });
}

void FilterColumns::DropAnyOf(FilterField field, const std::vector<std::string>& refused,
                              RecordSet& set) const {
  if (refused.empty()) return;
  const std::vector<bool> fails = IdsOf(field, refused);
  KeepIf(set, [&](uint32_t record) {
    const auto ids = values(field, record);
    return std::none_of(ids.begin(), ids.end(), [&](uint32_t id) { return fails[id]; });
  });
}

void FilterColumns::KeepLocale(const std::string& locale, RecordSet& set) const {
  if (locale.empty()) return;
  std::vector<bool> passes(value_count(FilterField::kLocale));
  for (uint32_t id = 0; id < passes.size(); ++id) {
    const std::string text = FoldFilterValue(FilterField::kLocale, value(FilterField::kLocale, id));
    passes[id] =
        text.starts_with(locale) && (text.size() == locale.size() || text[locale.size()] == '-');
  }
  KeepIf(set, [&](uint32_t record) {
    const auto ids = values(FilterField::kLocale, record);
    return ids.empty() || passes[ids[0]];
  });
}

void FilterColumns::KeepStates(const Filter& filter, RecordSet& set) const {
  const auto keep = [&](const auto& wanted, const std::vector<uint8_t>& column) {
    if (wanted.empty()) return;
    std::array<bool, 256> passes{};
    for (const auto each : wanted) passes[static_cast<uint8_t>(each)] = true;
    KeepIf(set, [&](uint32_t record) { return passes[column[record]]; });
  };
  keep(filter.availability, data_.availability);
  keep(filter.conditions, data_.condition);
  if (filter.min_rating) {
    // Ratings are stored as floats: 4.6 must meet 4.6.
    const float least = static_cast<float>(*filter.min_rating);
    KeepIf(set, [&](uint32_t record) {
      return data_.rating[record] >= 0 && data_.rating[record] >= least;
    });
  }
}

std::optional<int64_t> FilterColumns::PriceOf(uint32_t record, const std::string& currency,
                                              const std::string& region, int64_t now_unix) const {
  const uint32_t begin = record == 0 ? 0 : data_.price_ends[record - 1];
  const uint32_t end = data_.price_ends[record];
  std::optional<int64_t> everywhere, regional;
  for (uint32_t i = begin; i < end;) {
    const auto& first = data_.prices[i];
    uint32_t last = i++;  // the step of this region and currency that holds now
    while (i < end && IsSameList(first, data_.prices[i])) {
      if (data_.prices[i].from_unix <= now_unix) last = i;
      ++i;
    }
    const auto& price = data_.prices[last];
    if (price.amount < 0) continue;
    if (!currency.empty() && data_.currencies[price.currency] != currency) continue;
    const std::string& where = data_.regions[price.region];
    if (where.empty() && !everywhere) everywhere = price.amount;
    if (!where.empty() && where == region && !regional) regional = price.amount;
  }
  return regional ? regional : everywhere;
}

void FilterColumns::KeepPrice(const Filter& filter, int64_t now_unix, RecordSet& set) const {
  if (!filter.has_price()) return;
  const int64_t low = filter.min_price.value_or(0);
  const int64_t high = filter.max_price.value_or(std::numeric_limits<int64_t>::max());
  KeepIf(set, [&](uint32_t record) {
    const auto price = PriceOf(record, filter.currency, filter.region, now_unix);
    return price && *price >= low && *price <= high;
  });
}

void FilterColumns::KeepRange(const NumericRange& range, RecordSet& set) const {
  const BaseBounds bounds = ToBase(range);
  const auto unit = unit_ids_.find(bounds.base);
  if (unit == unit_ids_.end()) {
    set = RecordSet(set.size());
    return;
  }
  std::vector<bool> named(data_.attribute_names.size());
  for (size_t i = 0; i < named.size(); ++i) {
    const std::string& name = data_.attribute_names[i];
    named[i] = range.attribute.empty() || (!name.empty() && HoldsWords(name, range.attribute));
  }
  KeepIf(set, [&](uint32_t record) {
    const uint32_t begin = record == 0 ? 0 : data_.number_ends[record - 1];
    return std::any_of(data_.numbers.begin() + begin,
                       data_.numbers.begin() + data_.number_ends[record], [&](const auto& number) {
                         return number.unit == unit->second && named[number.attribute] &&
                                number.value >= bounds.low && number.value <= bounds.high;
                       });
  });
}

void FilterColumns::DropOwning(const std::vector<std::string>& terms, RecordSet& set) const {
  if (terms.empty()) return;
  RecordSet owning(set.size(), true);
  for (const std::string& term : terms) {
    RecordSet with(set.size());
    if (const auto found = term_ids_.find(term); found != term_ids_.end()) {
      ForEachTermRecord(data_.term_records[found->second],
                        [&](uint32_t record) { with.Insert(record); });
    }
    owning.Intersect(with);
  }
  owning.ForEach([&](uint32_t record) { set.Erase(record); });
}

RecordSet FilterColumns::Select(const CompiledFilter& compiled, int64_t now_unix) const {
  const Filter& filter = compiled.filter;
  RecordSet set(record_count(), true);
  KeepAnyOf(FilterField::kBrand, filter.brands, set);
  KeepAnyOf(FilterField::kCategory, filter.categories, set);
  if (!filter.item_group.empty()) KeepAnyOf(FilterField::kItemGroup, {filter.item_group}, set);
  if (!filter.location.empty()) KeepAnyOf(FilterField::kLocation, {filter.location}, set);
  KeepAnyOf(FilterField::kColor, filter.colors, set);
  for (const AttributeCondition& condition : filter.attributes) {
    KeepAnyOf(FilterField::kAttribute, condition.values, set);
  }
  KeepLocale(filter.locale, set);
  KeepStates(filter, set);
  KeepPrice(filter, now_unix, set);
  for (const NumericRange& range : filter.ranges) KeepRange(range, set);
  DropAnyOf(FilterField::kBrand, filter.excluded_brands, set);
  DropAnyOf(FilterField::kCategory, filter.excluded_categories, set);
  for (const auto& terms : compiled.excluded) DropOwning(terms, set);
  return set;
}

}  // namespace emptor::retrieval
