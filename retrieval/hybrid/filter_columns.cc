// Folding of filterable values, and the selection of records.
#include "retrieval/hybrid/filter_columns.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

std::vector<std::string> FoldedElements(std::string_view path) {
  std::vector<std::string> elements;
  while (true) {
    const size_t end = path.find('>');
    std::string element = FoldForComparison(path.substr(0, end));
    if (!element.empty()) elements.push_back(std::move(element));
    if (end == std::string_view::npos) return elements;
    path.remove_prefix(end + 1);
  }
}

std::string JoinPath(const std::vector<std::string>& elements, size_t count) {
  std::string path;
  for (size_t i = 0; i < count; ++i) path += (i == 0 ? "" : " > ") + elements[i];
  return path;
}

std::string FoldLocale(std::string_view locale) {
  std::string folded = FoldForComparison(locale);
  std::replace(folded.begin(), folded.end(), '_', '-');
  return folded;
}

/// A record that names no locale is taken to fit every one.
bool LocaleMatches(std::string_view record, std::string_view wanted) {
  if (wanted.empty() || record.empty()) return true;
  return record.starts_with(wanted) &&
         (record.size() == wanted.size() || record[wanted.size()] == '-');
}

/// The payable price is constant between the bounds of the sale, so asking at the bounds is enough.
std::vector<PriceStep> PriceSteps(const catalog::Product& product) {
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
  std::vector<PriceStep> steps;
  for (const int64_t moment : moments) {
    steps.push_back({moment, catalog::ComputePayablePrice(product, moment).price});
  }
  return steps;
}

}  // namespace

FilterRow MakeFilterRow(const catalog::Product& product) {
  FilterRow row;
  row.brand = FoldForComparison(product.brand);
  for (const std::string& category : product.categories) {
    const std::vector<std::string> elements = FoldedElements(category);
    row.categories.insert(row.categories.end(), elements.begin(), elements.end());
    for (size_t n = 2; n <= elements.size(); ++n) row.categories.push_back(JoinPath(elements, n));
  }
  std::sort(row.categories.begin(), row.categories.end());
  row.categories.erase(std::unique(row.categories.begin(), row.categories.end()),
                       row.categories.end());
  row.locale = FoldLocale(product.locale);
  row.availability = product.availability;
  row.prices = PriceSteps(product);
  return row;
}

CompiledFilter::CompiledFilter(const Filter& original) : filter(original) {
  for (std::string& brand : filter.brands) brand = FoldForComparison(brand);
  for (std::string& category : filter.categories) {
    const std::vector<std::string> elements = FoldedElements(category);
    category = JoinPath(elements, elements.size());
  }
  filter.locale = FoldLocale(filter.locale);
}

uint32_t FilterColumns::Dictionary::Intern(const std::string& text) {
  const auto [entry, fresh] = ids_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
  if (fresh) texts_.push_back(text);
  return entry->second;
}

std::optional<uint32_t> FilterColumns::Dictionary::Find(const std::string& text) const {
  const auto found = ids_.find(text);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

void FilterColumns::Add(const FilterRow& row) {
  const auto record = static_cast<uint32_t>(record_count());
  brands_.push_back(brand_names_.Intern(row.brand));
  locales_.push_back(locale_names_.Intern(row.locale));
  availability_.push_back(row.availability);
  for (const PriceStep& step : row.prices) {
    prices_.push_back({step.from_unix, step.price ? step.price->amount : 0,
                       step.price ? currency_names_.Intern(step.price->currency) : kNoPrice});
  }
  price_ends_.push_back(static_cast<uint32_t>(prices_.size()));
  for (const std::string& category : row.categories) {
    const uint32_t id = category_names_.Intern(category);
    categories_.push_back(id);
    category_records_.resize(category_names_.size());
    category_records_[id].push_back(record);
  }
  category_ends_.push_back(static_cast<uint32_t>(categories_.size()));
}

FilterRow FilterColumns::row(uint32_t record) const {
  FilterRow row;
  row.brand = brand_names_.text(brands_[record]);
  row.locale = locale_names_.text(locales_[record]);
  row.availability = availability_[record];
  for (uint32_t i = record == 0 ? 0 : price_ends_[record - 1]; i < price_ends_[record]; ++i) {
    const Price& price = prices_[i];
    PriceStep step{.from_unix = price.from_unix, .price = std::nullopt};
    if (price.currency != kNoPrice) {
      step.price = catalog::Money{price.amount, currency_names_.text(price.currency)};
    }
    row.prices.push_back(std::move(step));
  }
  for (uint32_t i = record == 0 ? 0 : category_ends_[record - 1]; i < category_ends_[record]; ++i) {
    row.categories.push_back(category_names_.text(categories_[i]));
  }
  return row;
}

RecordSet FilterColumns::SelectCategories(const Filter& filter) const {
  if (filter.categories.empty()) return RecordSet(record_count(), true);
  RecordSet selected(record_count());
  for (const std::string& category : filter.categories) {
    const auto id = category_names_.Find(category);
    if (!id) continue;
    for (const uint32_t record : category_records_[*id]) selected.Insert(record);
  }
  return selected;
}

bool FilterColumns::PassesPrice(uint32_t record, const Filter& filter, int64_t now_unix) const {
  uint32_t i = price_ends_[record];
  const uint32_t begin = record == 0 ? 0 : price_ends_[record - 1];
  while (i > begin && prices_[i - 1].from_unix > now_unix) --i;
  if (i == begin) return false;
  const Price& price = prices_[i - 1];
  if (price.currency == kNoPrice) return false;
  if (!filter.currency.empty() && currency_names_.text(price.currency) != filter.currency)
    return false;
  return (!filter.min_price || price.amount >= *filter.min_price) &&
         (!filter.max_price || price.amount <= *filter.max_price);
}

RecordSet FilterColumns::Select(const CompiledFilter& compiled, int64_t now_unix) const {
  const Filter& filter = compiled.filter;
  std::vector<bool> brand_passes(brand_names_.size(), filter.brands.empty());
  for (const std::string& brand : filter.brands) {
    if (const auto id = brand_names_.Find(brand)) brand_passes[*id] = true;
  }
  std::vector<bool> locale_passes(locale_names_.size());
  for (uint32_t i = 0; i < locale_passes.size(); ++i) {
    locale_passes[i] = LocaleMatches(locale_names_.text(i), filter.locale);
  }
  const auto& wanted = filter.availability;
  const bool priced = filter.min_price || filter.max_price;
  RecordSet selected(record_count());
  SelectCategories(filter).ForEach([&](uint32_t record) {
    if (!brand_passes[brands_[record]] || !locale_passes[locales_[record]]) return;
    if (!wanted.empty() &&
        std::find(wanted.begin(), wanted.end(), availability_[record]) == wanted.end()) {
      return;
    }
    if (!priced || PassesPrice(record, filter, now_unix)) selected.Insert(record);
  });
  return selected;
}

}  // namespace emptor::retrieval
