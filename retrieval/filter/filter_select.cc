// From a filter to the set of records that meet it.
#include <algorithm>
#include <limits>

#include "retrieval/filter/filter_columns.h"
#include "retrieval/filter/filter_terms.h"
#include "retrieval/filter/term_records.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"

namespace emptor::retrieval {
namespace {

// The remaining records are tested one by one when they are this many times fewer than the records
// with the values.
constexpr size_t kAskedOneIn = 8;

void FoldAll(FilterField field, std::vector<std::string>& values) {
  for (std::string& value : values) value = FoldFilterValue(field, value);
}

/// True when `name` contains the words of `wanted` as a phrase.
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

/// A range in base units. The tolerance widens closed bounds and narrows open ones.
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
  // Counts have no tolerance but the rounding of a float.
  const double slack = bounds.base.empty() ? 1e-6 : MeasureTolerance(bounds.base);
  if (range.min) bounds.low = *range.min * factor * (1 + (range.min_open ? slack : -slack));
  if (range.max) bounds.high = *range.max * factor * (1 + (range.max_open ? -slack : slack));
  return bounds;
}

}  // namespace

CompiledFilter::CompiledFilter(const Filter& original) : filter(original) {
  FoldAll(FilterField::kBrand, filter.brands);
  FoldAll(FilterField::kBrand, filter.excluded_brands);
  FoldAll(FilterField::kCategory, filter.categories);
  FoldAll(FilterField::kCategory, filter.excluded_categories);
  FoldAll(FilterField::kColor, filter.colors);
  FoldAll(FilterField::kColor, filter.excluded_colors);
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
  for (const std::string& text : filter.excluded_terms) {
    if (const auto measure = ParseMeasure(FoldForComparison(text))) {
      excluded_ranges.push_back(
          {.unit = std::string(measure->base), .min = measure->value, .max = measure->value});
    } else {
      excluded.push_back(ExclusionTerms(text));
    }
  }
}

std::vector<uint32_t> FilterColumns::IdsOf(FilterField field,
                                           const std::vector<std::string>& folded) const {
  std::vector<uint32_t> ids;
  for (const std::string& text : folded) {
    if (const auto known = Find(field, text)) ids.push_back(known->id);
  }
  return ids;
}

size_t FilterColumns::CountPostings(FilterField field, std::span<const uint32_t> ids) const {
  size_t count = 0;
  for (const uint32_t id : ids) count += fixed_->postings[static_cast<size_t>(field)][id].count;
  return count;
}

RecordSet FilterColumns::RecordsWithAny(FilterField field, std::span<const uint32_t> ids) const {
  RecordSet postings(record_count());
  for (const uint32_t id : ids) {
    ForEachTermRecord(fixed_->postings[static_cast<size_t>(field)][id].records,
                      [&](uint32_t record) { postings.Insert(record); });
  }
  return postings;
}

void FilterColumns::KeepAnyOf(FilterField field, const std::vector<std::string>& wanted,
                              RecordSet& set) const {
  if (wanted.empty()) return;
  const std::vector<uint32_t> ids = IdsOf(field, wanted);
  if (set.count() * kAskedOneIn > CountPostings(field, ids)) {
    return set.Intersect(RecordsWithAny(field, ids));
  }
  set.KeepIf([&](uint32_t record) {
    const auto own = values(field, record);
    return std::find_first_of(own.begin(), own.end(), ids.begin(), ids.end()) != own.end();
  });
}

void FilterColumns::DropAnyOf(FilterField field, const std::vector<std::string>& refused,
                              RecordSet& set) const {
  set.Remove(RecordsWithAny(field, IdsOf(field, refused)));
}

void FilterColumns::KeepLocale(const std::string& locale, RecordSet& set) const {
  if (locale.empty()) return;
  std::vector<bool> passes(value_count(FilterField::kLocale));
  for (uint32_t id = 0; id < passes.size(); ++id) {
    const std::string text = FoldFilterValue(FilterField::kLocale, value(FilterField::kLocale, id));
    passes[id] =
        text.starts_with(locale) && (text.size() == locale.size() || text[locale.size()] == '-');
  }
  set.KeepIf([&](uint32_t record) {
    const auto ids = values(FilterField::kLocale, record);
    return ids.empty() || passes[ids[0]];
  });
}

void FilterColumns::KeepRange(const NumericRange& range, RecordSet& set) const {
  const BaseBounds bounds = ToBase(range);
  const auto unit = fixed_->unit_ids.find(bounds.base);
  if (unit == fixed_->unit_ids.end()) {
    set = RecordSet(set.size());
    return;
  }
  std::vector<bool> named(fixed_->data.attribute_names.size());
  for (size_t i = 0; i < named.size(); ++i) {
    const std::string& name = fixed_->data.attribute_names[i];
    named[i] = range.attribute.empty() || (!name.empty() && HoldsWords(name, range.attribute));
  }
  set.KeepIf([&](uint32_t record) {
    const uint32_t begin = record == 0 ? 0 : fixed_->data.number_ends[record - 1];
    return std::any_of(fixed_->data.numbers.begin() + begin,
                       fixed_->data.numbers.begin() + fixed_->data.number_ends[record],
                       [&](const auto& number) {
                         return number.unit == unit->second && named[number.attribute] &&
                                number.value >= bounds.low && number.value <= bounds.high;
                       });
  });
}

MeasureCounts FilterColumns::CountMeasures(const std::string& attribute,
                                           const std::string& base_unit) const {
  MeasureCounts counts;
  for (const auto& [key, records] : fixed_->measures) {
    const std::string& unit = fixed_->data.units[static_cast<uint32_t>(key)];
    if (unit != base_unit && !unit.empty()) continue;
    const std::string& name = fixed_->data.attribute_names[key >> 32];
    const bool named = attribute.empty() ? !unit.empty() : HoldsWords(name, attribute);
    if (named) (unit.empty() ? counts.plain : counts.measured) += records;
  }
  return counts;
}

void FilterColumns::DropClaiming(const std::vector<std::string>& terms, RecordSet& set) const {
  if (terms.empty()) return;
  RecordSet owning(set.size(), true);
  for (const std::string& term : terms) {
    RecordSet with(set.size());
    if (const auto found = fixed_->term_ids.find(term); found != fixed_->term_ids.end()) {
      ForEachTermRecord(fixed_->data.term_records[found->second],
                        [&](uint32_t record) { with.Insert(record); });
    }
    owning.Intersect(with);
  }
  set.Remove(owning);
}

RecordSet FilterColumns::Select(const CompiledFilter& compiled, int64_t now_unix) const {
  const Filter& filter = compiled.filter;
  RecordSet set(record_count(), true);
  KeepAnyOf(FilterField::kBrand, filter.brands, set);
  KeepAnyOf(FilterField::kCategory, filter.categories, set);
  if (!filter.item_group.empty()) KeepAnyOf(FilterField::kItemGroup, {filter.item_group}, set);
  KeepAnyOf(FilterField::kColor, filter.colors, set);
  for (const AttributeCondition& condition : filter.attributes) {
    KeepAnyOf(FilterField::kAttribute, condition.values, set);
  }
  KeepLocale(filter.locale, set);
  inventory_.Keep(filter, now_unix, set);
  for (const NumericRange& range : filter.ranges) KeepRange(range, set);
  DropAnyOf(FilterField::kBrand, filter.excluded_brands, set);
  DropAnyOf(FilterField::kCategory, filter.excluded_categories, set);
  DropAnyOf(FilterField::kColor, filter.excluded_colors, set);
  for (const auto& terms : compiled.excluded) DropClaiming(terms, set);
  for (const NumericRange& range : compiled.excluded_ranges) {
    RecordSet within = set;
    KeepRange(range, within);
    set.Remove(within);
  }
  return set;
}

}  // namespace emptor::retrieval
