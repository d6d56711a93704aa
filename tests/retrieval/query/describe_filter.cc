// A filter in one line.
#include "tests/retrieval/query/describe_filter.h"

#include <fmt/format.h>

namespace emptor::retrieval::testing {

std::string DescribeFilter(const Filter& filter) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  const auto add_all = [&](const char* name, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(name + value);
  };
  if (filter.min_price) add(fmt::format("price>={}{}", *filter.min_price, filter.currency));
  if (filter.max_price) add(fmt::format("price<={}{}", *filter.max_price, filter.currency));
  add_all("brand=", filter.brands);
  add_all("color=", filter.colors);
  for (const auto condition : filter.conditions) {
    add("condition=" + std::string(catalog::ToString(condition)));
  }
  for (const auto stock : filter.availability)
    add("stock=" + std::string(catalog::ToString(stock)));
  if (!filter.location.empty()) add("place=" + filter.location);
  if (filter.min_rating) add(fmt::format("rating>={}", *filter.min_rating));
  for (const AttributeCondition& condition : filter.attributes) {
    for (const std::string& value : condition.values) {
      add(fmt::format("attr({})={}", condition.name, value));
    }
  }
  for (const NumericRange& range : filter.ranges) {
    const std::string name = fmt::format("range({})", range.attribute);
    if (range.min)
      add(fmt::format("{}{}{}{}", name, range.min_open ? ">" : ">=", *range.min, range.unit));
    if (range.max)
      add(fmt::format("{}{}{}{}", name, range.max_open ? "<" : "<=", *range.max, range.unit));
  }
  add_all("category=", filter.categories);
  add_all("-brand=", filter.excluded_brands);
  add_all("-color=", filter.excluded_colors);
  add_all("-category=", filter.excluded_categories);
  add_all("-term=", filter.excluded_terms);
  return text;
}

}  // namespace emptor::retrieval::testing
