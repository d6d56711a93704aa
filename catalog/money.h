// Decimal text of amounts in minor units, by the digits that ISO 4217 gives each currency.
// services/ formats money for a locale.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::catalog {

/// Largest amount of a record, in minor units; far below the limit of int64_t, so that sums cannot
/// overflow.
inline constexpr int64_t kMaxAmount = 1'000'000'000'000'000;

/// True for three capital letters A-Z, the form of an ISO 4217 code.
bool IsCurrencyCode(std::string_view code);

/// Digits after the decimal point: USD 2, JPY 0, KWD 3. Codes that are not listed have 2.
int CurrencyExponent(std::string_view currency);

/// "49.99" for {4999, "USD"}, "1200" for {1200, "JPY"}, "-0.005" for {-5, "KWD"}.
std::string FormatDecimal(const Money& money);

/// Reads "49.99", "49.9" or "49" exactly; never through floating point.
/// Errors: kInvalidArgument (not a plain decimal, more digits than the currency has, not a
/// currency code, over kMaxAmount).
absl::StatusOr<Money> ParseDecimal(std::string_view text, std::string_view currency);

}  // namespace emptor::catalog
