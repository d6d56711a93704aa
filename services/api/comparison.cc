// Rows of a comparison.
#include "services/api/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/grounding/fact_formatter.h"

namespace emptor::services {
namespace {

using Cell = std::optional<std::string>;

bool Differ(const std::vector<Cell>& values) {
  const auto fold = [](const Cell& value) {
    return value ? Cell(retrieval::FoldForComparison(*value)) : std::nullopt;
  };
  const Cell first = fold(values.front());
  return std::any_of(values.begin(), values.end(),
                     [&](const Cell& value) { return fold(value) != first; });
}

/// Adds the row unless no record states it.
void AddRow(std::string name, std::vector<Cell> values, std::vector<ComparisonRow>& rows) {
  const bool is_stated = std::any_of(values.begin(), values.end(),
                                     [](const Cell& value) { return value.has_value(); });
  if (!is_stated) return;
  const bool differs = Differ(values);
  rows.push_back({std::move(name), std::move(values), differs});
}

void AddFacts(std::span<const ShownProduct> products, std::string_view locale,
              std::vector<ComparisonRow>& rows) {
  const FactFormatter format(locale);
  const auto add = [&](const char* name, const std::function<Cell(const ShownProduct&)>& cell) {
    std::vector<Cell> values;
    for (const ShownProduct& each : products) values.push_back(cell(each));
    AddRow(name, std::move(values), rows);
  };
  const auto money = [&](const std::optional<catalog::Money>& amount) {
    return amount ? Cell(format.Money(*amount)) : std::nullopt;
  };
  add("price", [&](const ShownProduct& each) { return money(each.price.price); });
  add("was_price", [&](const ShownProduct& each) { return money(each.price.was_price); });
  add("rating", [&](const ShownProduct& each) -> Cell {
    const auto& rating = each.product.rating;
    if (!rating) return std::nullopt;
    return fmt::format("{} ({})", format.Rating(rating->value), format.Count(rating->count));
  });
  add("availability", [&](const ShownProduct& each) {
    return Cell(std::string(format.Availability(each.product.availability)));
  });
  add("condition",
      [](const ShownProduct& each) { return Cell(std::string(ToString(each.product.condition))); });
  add("brand", [](const ShownProduct& each) {
    return each.product.brand.empty() ? std::nullopt : Cell(each.product.brand);
  });
}

struct StatedAttribute {
  std::string name;
  std::vector<Cell> values;
  size_t count = 0;  // of the records that state it
};

void AddAttributes(std::span<const ShownProduct> products, std::vector<ComparisonRow>& rows) {
  std::vector<StatedAttribute> stated;
  std::unordered_map<std::string, size_t> by_name;
  for (size_t i = 0; i < products.size(); ++i) {
    for (const auto* list : {&products[i].product.options, &products[i].product.attributes}) {
      for (const catalog::Attribute& attribute : *list) {
        const auto [found, is_new] =
            by_name.try_emplace(retrieval::FoldForComparison(attribute.name), stated.size());
        if (is_new) stated.push_back({attribute.name, std::vector<Cell>(products.size())});
        StatedAttribute& row = stated[found->second];
        Cell& cell = row.values[i];
        if (cell) continue;  // the variant option states it
        cell = attribute.value;
        ++row.count;
      }
    }
  }
  std::stable_sort(stated.begin(), stated.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  for (StatedAttribute& each : stated) AddRow(std::move(each.name), std::move(each.values), rows);
}

}  // namespace

std::vector<ComparisonRow> CompareRecords(std::span<const ShownProduct> products,
                                          std::string_view locale) {
  std::vector<ComparisonRow> rows;
  AddFacts(products, locale, rows);
  AddAttributes(products, rows);
  return rows;
}

}  // namespace emptor::services
