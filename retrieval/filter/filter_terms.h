// What a record owns to, word by word: the terms by which "without wifi" and "not leather" exclude.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"

namespace emptor::retrieval {

/// Distinct terms of the title, of options and attributes: words of values, and words of names
/// whose value does not deny them. Left out is what the text itself denies ("Kettle without WiFi",
/// "BPA-free"). Words are folded and singular, "Wi-Fi" gives "wifi", "wi" and "fi"; runs of Han
/// give their bigrams; numbers give nothing. At most 300.
std::vector<std::string> OwnedTerms(const catalog::Product& product);

/// The terms that a record must own, all of them, to be meant by the exclusion `text`.
std::vector<std::string> ExclusionTerms(std::string_view text);

/// A value that denies its property: "no", "none", "0", "false", "nein".
bool IsDenial(std::string_view value);

}  // namespace emptor::retrieval
