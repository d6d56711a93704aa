// The facets of a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

struct FacetValue {
  std::string value;  // as the catalog writes it
  size_t count = 0;
};

/// Minor units, both inclusive; the ranges of a facet do not overlap.
struct FacetPriceRange {
  std::optional<int64_t> min, max;
  size_t count = 0;
};

/// Records rated `min` or better.
struct FacetRating {
  int min = 0;
  size_t count = 0;
};

struct FacetAttribute {
  std::string name;
  std::vector<FacetValue> values;
};

/// Values by falling count, then by name.
struct Facets {
  std::vector<FacetValue> brands, categories, colors, availability, conditions;
  std::string currency;  // of `prices`
  std::vector<FacetPriceRange> prices;
  std::vector<FacetRating> ratings;
  std::vector<FacetAttribute> attributes;  // the most useful first
};

}  // namespace emptor::retrieval
