// The order of relaxation.
#include "retrieval/query/relaxation.h"

#include <array>
#include <utility>

namespace emptor::retrieval {
namespace {

constexpr std::array<std::string_view, kFilterPartCount> kNames = {
    "location",  "availability", "min_rating", "condition", "color",  "attribute",
    "range",     "price",        "brand",      "category",  "locale", "item_group",
    "not_brand", "not_category", "not_color",  "not"};

constexpr std::array kOrder = {
    RelaxationStep{FilterPart::kLocation},    RelaxationStep{FilterPart::kAvailability},
    RelaxationStep{FilterPart::kMinRating},   RelaxationStep{FilterPart::kCondition},
    RelaxationStep{FilterPart::kColor},       RelaxationStep{FilterPart::kAttribute},
    RelaxationStep{FilterPart::kRange, true}, RelaxationStep{FilterPart::kRange},
    RelaxationStep{FilterPart::kPrice, true}, RelaxationStep{FilterPart::kBrand},
    RelaxationStep{FilterPart::kPrice},       RelaxationStep{FilterPart::kCategory},
    RelaxationStep{FilterPart::kLocale},
};

void WidenPrice(Filter& filter) {
  if (filter.min_price) *filter.min_price -= *filter.min_price / 4;
  if (filter.max_price) *filter.max_price += *filter.max_price / 4;
}

void WidenRanges(Filter& filter) {
  for (NumericRange& range : filter.ranges) {
    if (range.min) *range.min *= 0.8;
    if (range.max) *range.max *= 1.2;
    range.min_open = range.max_open = false;
  }
}

}  // namespace

std::string_view ToString(FilterPart part) { return kNames[static_cast<size_t>(part)]; }

void CopyPart(FilterPart part, const Filter& from, Filter& to) {
  switch (part) {
    case FilterPart::kLocation:
      to.location = from.location;
      break;
    case FilterPart::kAvailability:
      to.availability = from.availability;
      break;
    case FilterPart::kMinRating:
      to.min_rating = from.min_rating;
      break;
    case FilterPart::kCondition:
      to.conditions = from.conditions;
      break;
    case FilterPart::kColor:
      to.colors = from.colors;
      break;
    case FilterPart::kAttribute:
      to.attributes = from.attributes;
      break;
    case FilterPart::kRange:
      to.ranges = from.ranges;
      break;
    case FilterPart::kPrice:
      to.min_price = from.min_price;
      to.max_price = from.max_price;
      to.currency = from.currency;
      to.region = from.region;
      break;
    case FilterPart::kBrand:
      to.brands = from.brands;
      break;
    case FilterPart::kCategory:
      to.categories = from.categories;
      break;
    case FilterPart::kLocale:
      to.locale = from.locale;
      break;
    case FilterPart::kItemGroup:
      to.item_group = from.item_group;
      break;
    case FilterPart::kExcludedBrand:
      to.excluded_brands = from.excluded_brands;
      break;
    case FilterPart::kExcludedCategory:
      to.excluded_categories = from.excluded_categories;
      break;
    case FilterPart::kExcludedColor:
      to.excluded_colors = from.excluded_colors;
      break;
    case FilterPart::kExcludedTerm:
      to.excluded_terms = from.excluded_terms;
      break;
  }
}

bool HasPart(FilterPart part, const Filter& filter) {
  if (part == FilterPart::kPrice) return filter.has_price();
  Filter only;
  CopyPart(part, filter, only);
  return !only.empty();
}

Filter MergeFilters(const Filter& words, const Filter& asked, FilterParts named) {
  Filter merged = words;
  for (int i = 0; i < kFilterPartCount; ++i) {
    const auto part = static_cast<FilterPart>(i);
    if (named.contains(part)) CopyPart(part, asked, merged);
  }
  return merged;
}

std::vector<RelaxationStep> PlanRelaxation(const Filter& filter, const FilterParts& fixed) {
  std::vector<RelaxationStep> steps;
  for (const RelaxationStep& step : kOrder) {
    if (HasPart(step.part, filter) && !fixed.contains(step.part)) steps.push_back(step);
  }
  return steps;
}

Filter ApplyRelaxation(const Filter& filter, std::span<const RelaxationStep> steps) {
  Filter relaxed = filter;
  for (const RelaxationStep& step : steps) {
    if (!step.widened) {
      CopyPart(step.part, Filter(), relaxed);
    } else if (step.part == FilterPart::kPrice) {
      WidenPrice(relaxed);
    } else {
      WidenRanges(relaxed);
    }
  }
  return relaxed;
}

absl::StatusOr<Relaxation> RelaxUntil(
    const Filter& filter, const FilterParts& fixed,
    const std::function<absl::StatusOr<bool>(const Filter&)>& fits) {
  std::vector<RelaxationStep> taken;
  bool found = false;
  for (const RelaxationStep& step : PlanRelaxation(filter, fixed)) {
    taken.push_back(step);
    const auto fit = fits(ApplyRelaxation(filter, taken));
    if (!fit.ok()) return fit.status();
    found = *fit;
    if (found) break;
  }
  if (!found) return Relaxation{filter, {}};
  for (size_t i = 0; i + 1 < taken.size();) {
    std::vector<RelaxationStep> fewer = taken;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    const auto fit = fits(ApplyRelaxation(filter, fewer));
    if (!fit.ok()) return fit.status();
    if (*fit) {
      taken = std::move(fewer);
    } else {
      ++i;
    }
  }
  return Relaxation{ApplyRelaxation(filter, taken), std::move(taken)};
}

}  // namespace emptor::retrieval
