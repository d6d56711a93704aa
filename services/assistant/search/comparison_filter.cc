// Bounds by price, rating and measure.
#include "services/assistant/search/comparison_filter.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "retrieval/filter/filter_row.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/quantity_values.h"

namespace emptor::services {
namespace {

void LimitPrice(bool wants_more, const catalog::Money& price, retrieval::Filter& filter) {
  if (wants_more) {
    filter.min_price = std::max(filter.min_price.value_or(0), price.amount + 1);
  } else if (price.amount > 1) {
    filter.max_price = std::min(filter.max_price.value_or(price.amount), price.amount - 1);
  } else {
    return;
  }
  filter.currency = price.currency;
}

/// Ratings have one decimal: better than 4.3 is 4.4 and up.
void LimitRating(double rating, retrieval::Filter& filter) {
  const double next = (std::floor(rating * 10 + 1e-6) + 1) / 10;
  filter.min_rating = std::max(filter.min_rating.value_or(0), next);
}

const retrieval::NumericValue* FindMeasure(const Comparison& comparison,
                                           const retrieval::FilterRow& row) {
  const std::string key = retrieval::FoldWords(comparison.key);
  const auto known = std::find_if(row.numbers.begin(), row.numbers.end(), [&](const auto& number) {
    return !key.empty() && number.attribute == key;
  });
  if (known != row.numbers.end()) return &*known;
  for (const std::string_view property : comparison.properties) {
    for (const retrieval::NumericValue& number : row.numbers) {
      const bool named = number.attribute.find(property) != std::string::npos;
      if (named && !number.unit.empty()) return &number;
    }
  }
  return nullptr;
}

/// With several products the tightest bound counts.
void LimitMeasure(bool wants_more, const retrieval::NumericValue& than, retrieval::Filter& filter) {
  retrieval::NumericRange range{.attribute = than.attribute, .unit = than.unit};
  range.min_open = wants_more;
  range.max_open = !wants_more;
  (wants_more ? range.min : range.max) = than.value;
  for (retrieval::NumericRange& set : filter.ranges) {
    if (set.attribute != range.attribute || set.unit != range.unit) continue;
    std::optional<double>& bound = wants_more ? set.min : set.max;
    if (!bound) continue;
    bound =
        wants_more ? std::max<double>(*bound, than.value) : std::min<double>(*bound, than.value);
    return;
  }
  filter.ranges.push_back(std::move(range));
}

}  // namespace

void LimitBeyond(const Comparison& comparison, const catalog::Product& product,
                 const std::optional<catalog::Money>& price, retrieval::Filter& filter) {
  switch (comparison.aspect) {
    case Comparison::Aspect::kPrice:
      if (price) LimitPrice(comparison.wants_more, *price, filter);
      return;
    case Comparison::Aspect::kRating:
      if (product.rating) LimitRating(product.rating->value, filter);
      return;
    case Comparison::Aspect::kMeasure: {
      const retrieval::FilterRow row = retrieval::MakeFilterRow(product);
      const auto* measure = FindMeasure(comparison, row);
      if (measure != nullptr) LimitMeasure(comparison.wants_more, *measure, filter);
      return;
    }
  }
}

std::optional<std::vector<std::string>> ValuesBeyond(
    const SchemaKey& key, bool wants_more, const std::vector<catalog::Product>& products) {
  std::optional<double> bound;
  for (const catalog::Product& product : products) {
    const std::string* const stated = ValueOf(product, key.name);
    const auto value = std::find_if(key.values.begin(), key.values.end(), [&](const auto& each) {
      return stated != nullptr && each.text == *stated && each.number;
    });
    if (value == key.values.end()) continue;
    if (!bound || (wants_more ? *value->number > *bound : *value->number < *bound))
      bound = value->number;
  }
  if (!bound) return std::nullopt;
  std::vector<std::string> beyond;
  for (const SchemaValue& each : key.values) {
    const bool is_beyond =
        each.number && (wants_more ? *each.number > *bound : *each.number < *bound);
    if (is_beyond) beyond.push_back(each.text);
  }
  return beyond;
}

void LiftBounded(const std::string& key, const catalog::Product& product, retrieval::Filter& filter,
                 std::vector<WordCondition>& words) {
  const std::string folded = retrieval::FoldWords(key);
  std::erase_if(filter.attributes,
                [&](const auto& each) { return retrieval::FoldWords(each.name) == folded; });
  const std::string* const value = ValueOf(product, key);
  const auto stated = value == nullptr ? std::nullopt : QuantityOf(*value);
  if (!stated) return;
  std::erase_if(words, [&](const WordCondition& each) {
    const auto asked = retrieval::FindMeasures(each.text, 1);
    if (asked.empty()) return false;
    const auto meets = [&](double scale) {
      const double number = stated->number * scale;
      return std::abs(number - asked[0].value) <=
             retrieval::MeasureTolerance(asked[0].base) * asked[0].value;
    };
    const std::string base(asked[0].base);
    if (!stated->unit.empty()) return stated->unit == base && meets(1);
    const std::vector<double>& scales = ScalesOf(base);
    return std::any_of(scales.begin(), scales.end(), meets);
  });
}

}  // namespace emptor::services
