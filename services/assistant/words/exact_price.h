// Amounts that point at a product: "the 22.95 one".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace emptor::services {

/// 2295 of "the 22.95 one" and "la de 22,95": the first number with two decimals, in hundredths.
/// Nothing where there is none, or where it has more than nine digits before them. Pure.
std::optional<int64_t> ExactPriceIn(std::string_view text);

}  // namespace emptor::services
