// Parses amounts, counts and ratings as merchants write them. Nothing is rounded; an ambiguous text
// is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::catalog {

/// The decimal mark of a feed.
enum class DecimalMark { kUnknown, kPoint, kComma };

/// By ICU's data of the locale: "de" kComma, "en-IN" kPoint; kUnknown for "" and unknown languages.
DecimalMark DecimalMarkOf(const std::string& locale);

/// True for a code that ISO 4217 lists, now or formerly.
bool IsKnownCurrency(std::string_view code);

/// Defaults for amounts that do not name their currency or are ambiguous.
struct AmountStyle {
  std::string currency = {};  // of amounts that name none; empty: refused
  DecimalMark mark = DecimalMark::kUnknown;
};

/// Reads "15.00 USD", "USD 15", "$2,030", "₹1,13,836.86", "1.234,56 €", "1 234,50 kr", "12,-".
/// - The currency is a code, before or after; or a sign. A sign that several currencies share ($,
///   ¥, kr) is the style's currency if that is one of them, else refused.
/// - Digit groups are of three or Indian (2, 2, 3), separated by comma, point, blank or apostrophe.
/// - One mark before three digits: a group after "," unless the style says kComma; after "." a
///   group if the style says kComma or the currency has no cents, a fraction if it has three
///   digits, else refused: "1.500 USD" may be either. Extra zeros beyond the currency's digits are
///   accepted.
/// Errors: kInvalidArgument, message without a field: `expected an amount, found "Get"`;
/// kFailedPrecondition where a default currency would make it readable.
absl::StatusOr<Money> ParseAmount(std::string_view text, const AmountStyle& style);

/// "33,641", "1 024" or "7"; nothing for other text, negative or over 10^15.
std::optional<int64_t> ParseCount(std::string_view text);

/// "4.5" or "4,5": one decimal from 0 to `best`, as a share of `best` times 5.
std::optional<double> ParseRatingValue(std::string_view text, double best = 5);

/// A refused value as shown in reasons: in quotes, shortened, without control characters.
std::string Quoted(std::string_view text);

/// The text without ASCII blanks, tabs, line feeds, no-break spaces and byte order marks at the
/// ends.
std::string_view Trimmed(std::string_view text);

}  // namespace emptor::catalog
