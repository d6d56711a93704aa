// The filterable properties of one product.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// Text properties; each record has a list of values.
enum class FilterField {
  kBrand,      // at most one
  kCategory,   // elements and leading paths: "Kitchen", "Kettles", "Kitchen > Kettles"
  kLocale,     // "en-us", at most one
  kColor,      // base colours
  kAttribute,  // AttributeKey: options and attributes with short values
  kLocation,   // stores where it is in stock
  kItemGroup,  // at most one
};
inline constexpr size_t kFilterFieldCount = 7;

/// Name and value of an attribute as one text, and back.
std::string AttributeKey(std::string_view name, std::string_view value);
struct AttributeParts {
  std::string_view name, value;
};
AttributeParts SplitAttributeKey(std::string_view key);

/// The form of a value that is compared: folded; for a category path, each element.
std::string FoldFilterValue(FilterField field, std::string_view value);

/// A price in effect from `from_unix` until the next step of the same region and currency.
struct PriceStep {
  int64_t from_unix = 0;
  std::string region;  // empty: everywhere
  std::string currency;
  std::optional<int64_t> amount;  // nothing: not for sale
};

/// A quantity of an attribute, or of the title when `attribute` is empty. `unit` is a base unit of
/// text/measure.h, empty for a plain number.
struct NumericValue {
  std::string attribute;  // folded
  std::string unit;
  float value = 0;
};

struct FilterRow {
  std::array<std::vector<std::string>, kFilterFieldCount> texts;  // by FilterField, unfolded
  catalog::Availability availability = catalog::Availability::kInStock;
  catalog::Condition condition = catalog::Condition::kNew;
  float rating = -1;              // -1: none
  uint32_t rating_count = 0;      // reviews behind it
  uint32_t updated_unix = 0;      // updated_at of the feed; 0: unknown
  float popularity = 0;           // ln(1 + count); 0 without a count
  std::vector<PriceStep> prices;  // ascending within each region and currency
  std::vector<NumericValue> numbers;
  std::vector<std::string> terms;  // ClaimedTerms
};

FilterRow MakeFilterRow(const catalog::Product& product);

/// Only the inventory: availability, condition, rating, age, popularity, prices, kLocation.
FilterRow MakeInventoryRow(const catalog::Product& product);

}  // namespace emptor::retrieval
