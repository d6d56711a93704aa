// From a product to its filterable values.
#include "retrieval/filter/filter_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "catalog/encoding/timestamp.h"
#include "retrieval/filter/filter_terms.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/text/unit_name.h"

namespace emptor::retrieval {
namespace {

constexpr char kBetween = '\x1f';
constexpr size_t kMaxFacetValueBytes = 40;
constexpr size_t kMaxNumbers = 48, kMaxTitleNumbers = 8;

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

float LogPopularity(const catalog::Product& product) {
  if (!product.popularity || *product.popularity <= 0) return 0;
  return std::log1p(static_cast<float>(*product.popularity));
}

std::vector<std::string_view> Elements(std::string_view path) {
  std::vector<std::string_view> elements;
  while (true) {
    const size_t end = path.find('>');
    if (const auto element = Trimmed(path.substr(0, end)); !element.empty()) {
      elements.push_back(element);
    }
    if (end == std::string_view::npos) return elements;
    path.remove_prefix(end + 1);
  }
}

std::string JoinPath(const std::vector<std::string_view>& elements, size_t count) {
  std::string path;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) path += " > ";
    path += elements[i];
  }
  return path;
}

/// The payable price is constant between the bounds of the sale, so asking at the bounds is enough.
void AddPriceSteps(const catalog::Product& product, const std::string& region,
                   std::vector<PriceStep>& steps) {
  if (!product.price) return;
  std::vector<int64_t> moments = {std::numeric_limits<int64_t>::min()};
  if (product.sale_price && product.sale_price_effective) {
    const catalog::TimeRange& sale = *product.sale_price_effective;
    if (sale.start) moments.push_back(*sale.start);
    if (sale.end) moments.push_back(*sale.end);
    if (sale.end && *sale.end < std::numeric_limits<int64_t>::max())
      moments.push_back(*sale.end + 1);
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  }
  for (const int64_t moment : moments) {
    const auto payable = catalog::ComputePayablePrice(product, moment).price;
    steps.push_back({.from_unix = moment,
                     .region = region,
                     .currency = product.price->currency,
                     .amount = payable ? std::optional(payable->amount) : std::nullopt});
  }
}

std::vector<PriceStep> PriceSteps(const catalog::Product& product) {
  std::vector<PriceStep> steps;
  AddPriceSteps(product, "", steps);
  for (const catalog::RegionalPrice& regional : product.regional_prices) {
    catalog::Product priced;
    priced.price = regional.price;
    priced.sale_price = regional.sale_price;
    priced.sale_price_effective = regional.sale_price_effective;
    AddPriceSteps(priced, regional.region, steps);
  }
  return steps;
}

void AddCategories(const catalog::Product& product, std::vector<std::string>& categories) {
  for (const std::string& category : product.categories) {
    const auto elements = Elements(category);
    for (const std::string_view element : elements) categories.emplace_back(element);
    for (size_t n = 2; n <= elements.size(); ++n) categories.push_back(JoinPath(elements, n));
  }
}

uint32_t Clamped32(int64_t value) {
  return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, UINT32_MAX));
}

void AddNumbers(const std::string& name, std::string_view value, size_t limit,
                std::vector<NumericValue>& numbers) {
  if (const auto plain = ParsePlainNumber(value)) {
    const auto unit = UnitOfName(name);
    const double factor = unit ? unit->factor : 1;
    numbers.push_back(
        {name, std::string(unit ? unit->base : ""), static_cast<float>(*plain * factor)});
    return;
  }
  for (const Measure& measure : FindMeasures(value, limit)) {
    numbers.push_back({name, std::string(measure.base), static_cast<float>(measure.value)});
  }
}

void AddProperties(const std::vector<catalog::Attribute>& properties, FilterRow& row) {
  auto& keys = row.texts[static_cast<size_t>(FilterField::kAttribute)];
  auto& colors = row.texts[static_cast<size_t>(FilterField::kColor)];
  for (const catalog::Attribute& property : properties) {
    const std::string name = FoldForComparison(property.name);
    if (property.value.size() <= kMaxFacetValueBytes) {
      keys.push_back(AttributeKey(property.name, property.value));
    }
    if (IsColorProperty(name)) {
      for (std::string& color : ColorsIn(property.value)) colors.push_back(std::move(color));
    }
    if (row.numbers.size() < kMaxNumbers) AddNumbers(name, property.value, 4, row.numbers);
  }
}

void AddLocations(const catalog::Product& product, std::vector<std::string>& locations) {
  for (const catalog::LocationStock& stock : product.stock) {
    const bool there = stock.availability == catalog::Availability::kInStock &&
                       (!stock.quantity || *stock.quantity > 0);
    if (there) locations.push_back(stock.location);
  }
}

}  // namespace

std::string AttributeKey(std::string_view name, std::string_view value) {
  std::string key(name);
  key += kBetween;
  key += value;
  return key;
}

AttributeParts SplitAttributeKey(std::string_view key) {
  const size_t between = std::min(key.find(kBetween), key.size());
  return {key.substr(0, between), key.substr(std::min(between + 1, key.size()))};
}

std::string FoldFilterValue(FilterField field, std::string_view value) {
  if (field == FilterField::kAttribute) {
    const AttributeParts parts = SplitAttributeKey(value);
    return AttributeKey(FoldForComparison(parts.name), FoldForComparison(parts.value));
  }
  std::string folded = FoldForComparison(value);
  if (field == FilterField::kLocale) std::replace(folded.begin(), folded.end(), '_', '-');
  if (field != FilterField::kCategory) return folded;
  const auto elements = Elements(folded);
  return JoinPath(elements, elements.size());
}

FilterRow MakeInventoryRow(const catalog::Product& product) {
  FilterRow row;
  AddLocations(product, row.texts[static_cast<size_t>(FilterField::kLocation)]);
  row.availability = product.availability;
  row.condition = product.condition;
  if (product.rating) {
    row.rating = static_cast<float>(product.rating->value);
    row.rating_count = Clamped32(product.rating->count);
  }
  if (const auto updated = catalog::ParseRfc3339(product.updated_at)) {
    row.updated_unix = Clamped32(*updated);
  }
  row.popularity = LogPopularity(product);
  row.prices = PriceSteps(product);
  return row;
}

FilterRow MakeFilterRow(const catalog::Product& product) {
  FilterRow row = MakeInventoryRow(product);
  const auto texts = [&row](FilterField field) -> std::vector<std::string>& {
    return row.texts[static_cast<size_t>(field)];
  };
  if (!product.brand.empty()) texts(FilterField::kBrand).push_back(product.brand);
  if (!product.locale.empty()) texts(FilterField::kLocale).push_back(product.locale);
  if (!product.item_group_id.empty())
    texts(FilterField::kItemGroup).push_back(product.item_group_id);
  AddCategories(product, texts(FilterField::kCategory));
  AddNumbers("", product.title, kMaxTitleNumbers, row.numbers);
  AddProperties(product.options, row);
  AddProperties(product.attributes, row);
  auto& colors = texts(FilterField::kColor);
  if (colors.empty()) colors = ColorsIn(product.title);
  row.terms = ClaimedTerms(product);
  return row;
}

}  // namespace emptor::retrieval
