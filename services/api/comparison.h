// Products next to each other: one row for each thing that their records state.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"

namespace emptor::services {

/// A record with the price payable now.
struct ShownProduct {
  catalog::Product product;
  catalog::PayablePrice price;
};

struct ComparisonRow {
  std::string name;  // "price", "rating", or of an attribute as the first record writes it
  /// One for each product, as a person reads it; nothing where its record does not state it.
  std::vector<std::optional<std::string>> values;
  bool differs = false;  // the values, compared case-folded, are not all the same
};

/// First price, was_price, rating, availability, condition and brand, where a record states them;
/// then the attributes and variant options, those that more of the records state first. Names are
/// compared case-folded. Amounts and numbers are written for `locale` (BCP 47). Pure.
std::vector<ComparisonRow> CompareRecords(std::span<const ShownProduct> products,
                                          std::string_view locale);

}  // namespace emptor::services
