// What a search may return: conditions on the record, applied inside every search, never after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// All conditions must hold. Empty lists and absent bounds do not restrict.
/// Prices are what is payable now, in minor units of `currency`; a product without a price in that
/// currency fails a price bound (an empty `currency` asks for none in particular). Brands,
/// categories and locale compare case-folded; a category matches any path that contains it as an
/// element ("Kettles" matches "Kitchen > Kettles") and any path that begins with it. A record that
/// names no locale fits every one.
struct Filter {
  std::optional<int64_t> min_price = {};
  std::optional<int64_t> max_price = {};
  std::string currency = {};
  std::vector<std::string> brands = {};                  // any of
  std::vector<std::string> categories = {};              // any of
  std::vector<catalog::Availability> availability = {};  // any of
  std::string locale = {};  // language prefix: "en" matches "en-US"; empty: any

  bool empty() const {
    return !min_price && !max_price && brands.empty() && categories.empty() &&
           availability.empty() && locale.empty();
  }
};

}  // namespace emptor::retrieval
