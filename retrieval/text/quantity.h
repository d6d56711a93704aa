// Numbers and units as shops write them: "1,7 l", "27-inch", "500GB" in one spelling each.
#pragma once

#include <string>
#include <string_view>

namespace emptor::retrieval {

/// One spelling for a number of digits, '.' and ','. A comma before exactly three digits groups
/// thousands ("1,000" -> "1000"), any other comma is a decimal point ("1,7" -> "1.7"); where both
/// occur the last is the decimal point. Trailing decimal zeros go ("2.50" -> "2.5", "5.0" -> "5")
/// unless three digits follow the point ("0.125", "1.000" stay). Other text comes back unchanged.
std::string NormalizeNumber(std::string_view number);

/// The one name of a unit of measure ("inches", "inch", "in" -> "inch"); empty when `word` is none.
/// `word` is folded.
std::string_view CanonicalUnit(std::string_view word);

}  // namespace emptor::retrieval
