// Exponents other than 2 are those of ISO 4217, list one.
#include "catalog/money.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using Code = std::string_view;
constexpr std::array<Code, 16> kNoDigits = {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW",
                                            "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"};
constexpr std::array<Code, 7> kThreeDigits = {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"};
constexpr std::array<Code, 2> kFourDigits = {"CLF", "UYW"};

template <size_t n>
bool Contains(const std::array<Code, n>& codes, Code code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

absl::Status NotDecimal(std::string_view text) {
  return absl::InvalidArgumentError(
      fmt::format("expected a decimal amount, found \"{}\"", text.substr(0, 40)));
}

}  // namespace

bool IsCurrencyCode(std::string_view code) {
  return code.size() == 3 &&
         std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

int CurrencyExponent(std::string_view currency) {
  if (Contains(kNoDigits, currency)) return 0;
  if (Contains(kThreeDigits, currency)) return 3;
  if (Contains(kFourDigits, currency)) return 4;
  return 2;
}

std::string FormatDecimal(const Money& money) {
  const int exponent = CurrencyExponent(money.currency);
  const bool negative = money.amount < 0;
  const uint64_t magnitude =
      negative ? 0 - static_cast<uint64_t>(money.amount) : static_cast<uint64_t>(money.amount);
  std::string digits = fmt::format("{:0{}}", magnitude, exponent + 1);
  if (exponent > 0) digits.insert(digits.size() - static_cast<size_t>(exponent), 1, '.');
  return negative ? "-" + digits : digits;
}

absl::StatusOr<Money> ParseDecimal(std::string_view text, std::string_view currency) {
  if (!IsCurrencyCode(currency)) {
    return absl::InvalidArgumentError(
        fmt::format("expected a currency code, found \"{}\"", currency.substr(0, 40)));
  }
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const bool has_point = point != std::string_view::npos;
  const std::string_view fraction = has_point ? text.substr(point + 1) : std::string_view();
  const auto exponent = static_cast<size_t>(CurrencyExponent(currency));
  if (whole.empty() || (has_point && fraction.empty())) return NotDecimal(text);
  if (fraction.size() > exponent) {
    return absl::InvalidArgumentError(fmt::format("{} has {} decimal digits, found \"{}\"",
                                                  currency, exponent, text.substr(0, 40)));
  }
  std::string digits(whole);
  digits += fraction;
  digits.append(exponent - fraction.size(), '0');
  int64_t amount = 0;
  for (char c : digits) {
    if (!IsDigit(c)) return NotDecimal(text);
    amount = amount * 10 + (c - '0');
    if (amount > kMaxAmount) return NotDecimal(text);
  }
  return Money{amount, std::string(currency)};
}

}  // namespace emptor::catalog
