// "Cheaper than the first one", "something lighter": requests relative to a product that was shown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/query/query_tokens.h"

namespace emptor::services {

struct Comparison {
  enum class Aspect { kPrice, kRating, kMeasure };
  Aspect aspect = Aspect::kPrice;
  bool wants_more = false;  // dearer, better rated, heavier
  /// kMeasure: parts of the property's name ("weight", "gewicht"), the likeliest first.
  std::span<const std::string_view> properties = {};
  /// kMeasure: the attribute of the type, where it is known; before `properties`.
  std::string key = {};
};

/// In six languages. Nothing when the message compares with an amount ("cheaper than $40") instead
/// of a product (`points_back`), or asks which of the shown products it is.
std::optional<Comparison> ReadComparison(const std::vector<retrieval::QueryToken>& tokens,
                                         bool points_back);

}  // namespace emptor::services
