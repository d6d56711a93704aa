// Filters: conditions on the record, applied inside every search and not to its results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// An attribute with one of these values: {"material", {"leather", "suede"}}. Name and value are
/// compared case-folded and whole. Options of variants count as attributes.
struct AttributeCondition {
  std::string name;
  std::vector<std::string> values;  // any of; never empty

  friend bool operator==(const AttributeCondition&, const AttributeCondition&) = default;
};

/// Bounds of a quantity. A record passes when one of its quantities in the dimension of `unit` is
/// within the bounds and the words of `attribute` occur in the name of that quantity's attribute.
/// Without `attribute`, quantities of the title count too. Quantities are compared in base units
/// with the tolerance of text/measure.h, so "27 inch" equals "68.6 cm". An open bound excludes
/// quantities that equal it within the tolerance.
struct NumericRange {
  std::string attribute = {};  // "capacity"; empty: any
  std::string unit = {};       // "l", "inch"; empty: plain numbers
  std::optional<double> min = {}, max = {};
  bool min_open = false, max_open = false;  // true: the bound itself fails

  friend bool operator==(const NumericRange&, const NumericRange&) = default;
};

/// All conditions must hold. Empty lists and absent bounds do not restrict.
/// Prices are those payable now, in minor units of `currency`. A product without a price in that
/// currency fails a price bound; an empty `currency` accepts any. With a `region`, the price of
/// that region applies if the product has one. Currencies are never converted. Brands, categories,
/// colours, locations and locale are compared case-folded. A category matches every path that
/// contains it as an element ("Kettles" matches "Kitchen > Kettles") and every path that begins
/// with it. A record without a locale matches every locale.
struct Filter {
  std::optional<int64_t> min_price = {};
  std::optional<int64_t> max_price = {};
  std::string currency = {};
  std::vector<std::string> brands = {};                  // any of
  std::vector<std::string> categories = {};              // any of
  std::vector<catalog::Availability> availability = {};  // any of
  std::string locale = {};  // language prefix: "en" matches "en-US"; empty: any

  std::string region = {};                            // ISO 3166-1 alpha-2
  std::vector<std::string> excluded_brands = {};      // none of
  std::vector<std::string> excluded_categories = {};  // none of
  std::vector<std::string> colors = {};               // any of; base colours of text/colors.h
  std::vector<std::string> excluded_colors = {};      // none of
  std::vector<catalog::Condition> conditions = {};    // any of
  std::string location = {};                          // in stock in that store
  std::optional<double> min_rating = {};              // records without a rating fail
  std::string item_group = {};                        // variants of one product
  std::vector<AttributeCondition> attributes = {};    // all of
  std::vector<NumericRange> ranges = {};              // all of
  /// Terms that the record must not claim (filter_terms.h): in its title, as the value of an option
  /// or attribute, or as the name of an attribute whose value does not deny it ("wifi: no" claims
  /// nothing). An exclusion of several words drops records that claim all of them. A quantity
  /// ("27 inch") drops records that have it, in any unit.
  std::vector<std::string> excluded_terms = {};

  bool has_price() const { return min_price || max_price; }
  bool empty() const {
    return !has_price() && brands.empty() && categories.empty() && availability.empty() &&
           locale.empty() && excluded_brands.empty() && excluded_categories.empty() &&
           colors.empty() && excluded_colors.empty() && conditions.empty() && location.empty() &&
           !min_rating && item_group.empty() && attributes.empty() && ranges.empty() &&
           excluded_terms.empty();
  }

  friend bool operator==(const Filter&, const Filter&) = default;
};

}  // namespace emptor::retrieval
