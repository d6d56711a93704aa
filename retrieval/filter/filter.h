// What a search may return: conditions on the record, applied inside every search, never after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// A property with one of these values, by name: {"material", {"leather", "suede"}}. Both compare
/// case-folded and whole; variants' options count as properties.
struct AttributeCondition {
  std::string name;
  std::vector<std::string> values;  // any of; never empty

  friend bool operator==(const AttributeCondition&, const AttributeCondition&) = default;
};

/// A measured property within bounds. A record passes when any of its quantities in that dimension
/// does whose attribute's name holds the words of `attribute`; without a name, those of its title
/// count too. Quantities are compared in base units with the tolerance of text/measure.h, so that
/// "27 inch" meets "68.6 cm"; an open bound leaves out what is equal within it.
struct NumericRange {
  std::string attribute = {};  // "capacity"; empty: any
  std::string unit = {};       // "l", "inch"; empty: plain numbers
  std::optional<double> min = {}, max = {};
  bool min_open = false, max_open = false;  // the bound itself does not pass

  friend bool operator==(const NumericRange&, const NumericRange&) = default;
};

/// All conditions must hold. Empty lists and absent bounds do not restrict.
/// Prices are what is payable now, in minor units of `currency`; a product without a price in that
/// currency fails a price bound (an empty `currency` asks for none in particular). With a `region`
/// the price of that region counts where a product has one. Nothing is ever converted. Brands,
/// categories, colours, locations and locale compare case-folded; a category matches any path that
/// contains it as an element ("Kettles" matches "Kitchen > Kettles") and any path that begins with
/// it. A record that names no locale fits every one.
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
  /// Words that the record must not own to: in its title, as an option's or an attribute's value,
  /// or as the name of an attribute that is not denied ("wifi: no" owns to nothing). Of several
  /// words all must occur. A quantity ("27 inch") excludes what has it, in whatever unit.
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
