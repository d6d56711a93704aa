// The terms that a record claims; "without wifi" and "not leather" exclude records by them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// The distinct terms that a record claims: words of the title, of option and attribute values, and
/// of attribute names whose value does not deny them. Words that the text itself denies are left
/// out
/// ("Kettle without WiFi", "BPA-free"). Words are folded and singular, "Wi-Fi" gives "wifi", "wi"
/// and "fi"; runs of Han give their bigrams; numbers give nothing. At most 300.
std::vector<std::string> ClaimedTerms(const catalog::Product& product);

/// The terms of the exclusion `text`. It excludes the records that claim all of them.
std::vector<std::string> ExclusionTerms(std::string_view text);

/// A value that denies its property: "no", "none", "0", "false", "nein".
bool IsDenial(std::string_view value);

}  // namespace emptor::retrieval
