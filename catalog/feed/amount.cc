// Splits a text into currency and number; the position of the number's marks gives their meaning.
#include "catalog/feed/amount.h"

#include <unicode/ucurr.h>
#include <unicode/unum.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "catalog/encoding/utf8.h"
#include "catalog/money.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMaxAmountText = 64;

// The first of `codes` is the currency of a sign that no other shares.
struct Sign {
  View text;
  std::array<View, 12> codes;
};
// A longer sign precedes its prefixes. Compared without case for letters a-z.
constexpr std::array<Sign, 36> kSigns = {{
    {"us$", {"USD"}},
    {"ca$", {"CAD"}},
    {"au$", {"AUD"}},
    {"nz$", {"NZD"}},
    {"hk$", {"HKD"}},
    {"nt$", {"TWD"}},
    {"mx$", {"MXN"}},
    {"r$", {"BRL"}},
    {"c$", {"CAD"}},
    {"a$", {"AUD"}},
    {"s$", {"SGD"}},
    {"$", {"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "CLP", "ARS", "COP", "TWD", "UYU"}},
    {"€", {"EUR"}},
    {"£", {"GBP"}},
    {"₹", {"INR"}},
    {"¥", {"JPY", "CNY"}},
    {"￥", {"JPY", "CNY"}},
    {"円", {"JPY"}},
    {"元", {"CNY"}},
    {"₩", {"KRW"}},
    {"₽", {"RUB"}},
    {"руб.", {"RUB"}},
    {"руб", {"RUB"}},
    {"₫", {"VND"}},
    {"₪", {"ILS"}},
    {"₺", {"TRY"}},
    {"₴", {"UAH"}},
    {"₱", {"PHP"}},
    {"฿", {"THB"}},
    {"₦", {"NGN"}},
    {"rs.", {"INR", "PKR", "LKR", "NPR", "MUR"}},
    {"rs", {"INR", "PKR", "LKR", "NPR", "MUR"}},
    {"kr.", {"SEK", "NOK", "DKK", "ISK"}},
    {"kr", {"SEK", "NOK", "DKK", "ISK"}},
    {"zł", {"PLN"}},
    {"kč", {"CZK"}},
}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

absl::Status Refuse(std::string reason) { return absl::InvalidArgumentError(std::move(reason)); }
absl::Status LacksCurrency(std::string reason) {
  return absl::FailedPreconditionError(std::move(reason));
}
absl::Status NotAnAmount(View text) {
  return Refuse(fmt::format("expected an amount, found {}", Quoted(text)));
}

// Replaces any blank that groups digits or separates the currency by one ASCII blank.
std::string WithPlainBlanks(View text) {
  constexpr std::array<View, 4> kBlanks = {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\t"};
  std::string plain;
  for (size_t i = 0; i < text.size();) {
    const auto blank = std::find_if(kBlanks.begin(), kBlanks.end(),
                                    [&](View b) { return text.substr(i).starts_with(b); });
    if (blank == kBlanks.end()) {
      plain += text[i++];
    } else {
      plain += ' ';
      i += blank->size();
    }
  }
  return plain;
}

// The parts of an amount.
struct Parts {
  View before;
  View number;
  View after;
};

Parts Split(View text) {
  const size_t first = text.find_first_of("0123456789");
  if (first == View::npos) return {text, {}, {}};
  size_t last = text.find_last_of("0123456789") + 1;
  return {Trimmed(text.substr(0, first)), text.substr(first, last - first),
          Trimmed(text.substr(last))};
}

bool EqualsIgnoringCase(View text, View lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return Lower(a) == b; });
}

absl::StatusOr<std::string> CurrencyOfSign(View name, const std::string& standard) {
  for (const Sign& sign : kSigns) {
    if (!EqualsIgnoringCase(name, sign.text)) continue;
    if (sign.codes[1].empty()) return std::string(sign.codes[0]);
    if (std::find(sign.codes.begin(), sign.codes.end(), standard) != sign.codes.end()) {
      return standard;
    }
    return LacksCurrency(
        fmt::format("{} is the sign of several currencies: name the currency", Quoted(name)));
  }
  return Refuse(fmt::format("unknown currency {}", Quoted(name)));
}

// "usd" as USD; "" if it is no code.
std::string CodeOf(View piece) {
  std::string code(piece.size() == 3 ? piece : View());
  std::transform(code.begin(), code.end(), code.begin(), Upper);
  return IsKnownCurrency(code) ? code : "";
}

// A code takes precedence over a sign: "$15.00 CAD" is in Canadian dollars.
absl::StatusOr<std::string> FindCurrency(const Parts& parts, const AmountStyle& style) {
  std::string standard = style.currency;
  for (View piece : {parts.before, parts.after}) {
    if (std::string code = CodeOf(piece); !code.empty()) standard = std::move(code);
  }
  std::string found;
  for (View piece : {parts.before, parts.after}) {
    if (piece.empty()) continue;
    const std::string code = CodeOf(piece);
    const absl::StatusOr<std::string> named = code.empty() ? CurrencyOfSign(piece, standard) : code;
    if (!named.ok()) return named.status();
    if (!found.empty() && found != *named) return Refuse("two currencies");
    found = *named;
  }
  if (!found.empty()) return found;
  if (standard.empty()) return LacksCurrency("names no currency, and no default is set");
  return standard;
}

// The digits before and after the decimal mark.
struct Decimal {
  std::string whole;
  std::string fraction;
};

// "1,13,836" or "1,234,567": groups of 2 or 3, a last group of 3, separated by `mark`.
bool TakeGroups(View text, char mark, std::string& digits) {
  size_t group = 0;
  bool first = true;
  std::vector<size_t> sizes;
  for (char c : text) {
    if (IsDigit(c)) {
      digits += c;
      ++group;
    } else if (c == mark && group > 0) {
      sizes.push_back(group);
      group = 0;
    } else {
      return false;
    }
  }
  if (sizes.empty()) return group > 0;
  if (group != 3) return false;
  bool thirds = true, halves = true;
  for (size_t size : sizes) {
    thirds = thirds && (first ? size <= 3 : size == 3);
    halves = halves && (first ? size <= 2 : size == 2);
    first = false;
  }
  return thirds || halves;
}

// Whether a single mark before exactly three digits is a group separator; nothing if ambiguous.
std::optional<bool> IsGroupMark(char mark, DecimalMark style, int exponent) {
  if (mark == ',') {
    if (style == DecimalMark::kComma) return false;
    return exponent == 3 && style == DecimalMark::kUnknown ? std::nullopt : std::optional(true);
  }
  if (style == DecimalMark::kComma || exponent == 0) return true;
  if (style == DecimalMark::kPoint || exponent == 3) return false;
  return std::nullopt;
}

absl::StatusOr<Decimal> ReadNumber(View number, DecimalMark style, int exponent) {
  const size_t last = number.find_last_of(",.");
  Decimal decimal;
  char groups = ' ';
  View whole = number;
  if (last != View::npos) {
    const char mark = number[last];
    const View rest = number.substr(0, last);
    const View fraction = number.substr(last + 1);
    const bool repeated = rest.find(mark) != View::npos;
    const bool alone = rest.find_first_of(",.' ") == View::npos;
    bool is_group = repeated;
    if (!repeated && alone && fraction.size() == 3 && rest.size() <= 3 && rest != "0") {
      const auto decided = IsGroupMark(mark, style, exponent);
      if (!decided) return Refuse(fmt::format("{} may be read in two ways", Quoted(number)));
      is_group = *decided;
    }
    if (is_group) {
      groups = mark;
    } else {
      decimal.fraction = fraction;
      whole = rest;
      const size_t other = whole.find_first_of(",.' ");
      if (other != View::npos) groups = whole[other];
    }
  } else if (number.find('\'') != View::npos) {
    groups = '\'';
  }
  const bool clean = std::all_of(decimal.fraction.begin(), decimal.fraction.end(), IsDigit);
  if (!clean || !TakeGroups(whole, groups, decimal.whole)) return NotAnAmount(number);
  return decimal;
}

}  // namespace

DecimalMark DecimalMarkOf(const std::string& locale) {
  UErrorCode error = U_ZERO_ERROR;
  UNumberFormat* format = unum_open(UNUM_DECIMAL, nullptr, 0, locale.c_str(), nullptr, &error);
  if (format == nullptr) return DecimalMark::kUnknown;
  std::array<UChar, 4> mark = {};
  const int32_t length = unum_getSymbol(format, UNUM_DECIMAL_SEPARATOR_SYMBOL, mark.data(),
                                        static_cast<int32_t>(mark.size()), &error);
  // For an unknown language ICU returns the root locale's data.
  const char* valid = unum_getLocaleByType(format, ULOC_VALID_LOCALE, &error);
  const View language = View(locale).substr(0, locale.find_first_of("-_"));
  const bool is_known = U_SUCCESS(error) && valid != nullptr && !language.empty() &&
                        View(valid).starts_with(language);
  unum_close(format);
  if (!is_known || length != 1) return DecimalMark::kUnknown;
  if (mark[0] == u',') return DecimalMark::kComma;
  return mark[0] == u'.' ? DecimalMark::kPoint : DecimalMark::kUnknown;
}

bool IsKnownCurrency(View code) {
  if (!IsCurrencyCode(code) || code == "XXX" || code == "XTS") return false;
  const std::array<UChar, 4> wide = {static_cast<UChar>(code[0]), static_cast<UChar>(code[1]),
                                     static_cast<UChar>(code[2]), 0};
  return ucurr_getNumericCode(wide.data()) != 0;
}

absl::StatusOr<Money> ParseAmount(View text, const AmountStyle& style) {
  text = Trimmed(text);
  if (text.empty() || text.size() > kMaxAmountText || !IsValidUtf8(text)) return NotAnAmount(text);
  const std::string plain = WithPlainBlanks(text);
  Parts parts = Split(plain);
  if (parts.number.empty()) return NotAnAmount(text);
  for (View whole : {",-", ".-", ":-", ",–"}) {  // "12,-": no cents
    if (parts.after.starts_with(whole)) parts.after = Trimmed(parts.after.substr(whole.size()));
  }
  for (View piece : {parts.before, parts.after}) {
    if (piece.find_first_of("-+()") != View::npos) return NotAnAmount(text);
  }
  const auto currency = FindCurrency(parts, style);
  if (!currency.ok()) {
    const absl::Status& why = currency.status();
    return absl::Status(why.code(),
                        fmt::format("{} in {}", std::string(why.message()), Quoted(text)));
  }
  const auto exponent = static_cast<size_t>(CurrencyExponent(*currency));
  auto decimal = ReadNumber(parts.number, style.mark, static_cast<int>(exponent));
  if (!decimal.ok()) return decimal.status();
  while (decimal->fraction.size() > exponent && decimal->fraction.back() == '0') {
    decimal->fraction.pop_back();
  }
  if (!decimal->fraction.empty()) decimal->fraction.insert(0, 1, '.');
  auto money = ParseDecimal(decimal->whole + decimal->fraction, *currency);
  if (!money.ok()) {
    return Refuse(fmt::format("expected an amount in {}, found {}", *currency, Quoted(text)));
  }
  return money;
}

std::optional<int64_t> ParseCount(View text) {
  const std::string plain = WithPlainBlanks(Trimmed(text));
  const size_t mark = plain.find_first_of(",.' ");
  std::string digits;
  if (plain.empty() || plain.size() > 24) return std::nullopt;
  if (!TakeGroups(plain, mark == View::npos ? ',' : plain[mark], digits)) return std::nullopt;
  if (digits.size() > 16) return std::nullopt;
  const int64_t count = std::strtoll(digits.c_str(), nullptr, 10);
  return count > kMaxAmount ? std::nullopt : std::optional(count);
}

std::optional<double> ParseRatingValue(View text, double best) {
  text = Trimmed(text);
  std::string digits(text);
  std::replace(digits.begin(), digits.end(), ',', '.');
  const bool clean =
      std::all_of(digits.begin(), digits.end(), [](char c) { return IsDigit(c) || c == '.'; });
  if (digits.empty() || digits.size() > 12 || !clean || !IsDigit(digits[0]) ||
      !IsDigit(digits.back()) || std::count(digits.begin(), digits.end(), '.') > 1) {
    return std::nullopt;
  }
  const double value = std::strtod(digits.c_str(), nullptr);
  if (!(best > 0) || value > best) return std::nullopt;
  return best == 5 ? value : value / best * 5;
}

std::string Quoted(View text) {
  if (!IsValidUtf8(text)) return "text that is not UTF-8";
  std::string clean;
  for (View rest = text; !rest.empty() && clean.size() < 80;) {
    const CodePoint point = DecodeUtf8(rest);
    const View bytes = rest.substr(0, point.bytes);
    clean += FindControlCharacter(bytes, LineBreaks::kRefused) ? View(" ") : bytes;
    rest.remove_prefix(point.bytes);
  }
  return fmt::format("\"{}\"", Utf8Prefix(clean, 80));
}

View Trimmed(View text) {
  constexpr View kBlanks = " \t\r\n\f\v";
  constexpr std::array<View, 2> kWide = {"\xC2\xA0", "\xEF\xBB\xBF"};
  for (bool found = true; found;) {
    found = false;
    while (!text.empty() && kBlanks.find(text.front()) != View::npos) text.remove_prefix(1);
    while (!text.empty() && kBlanks.find(text.back()) != View::npos) text.remove_suffix(1);
    for (View wide : kWide) {
      if (text.starts_with(wide)) text.remove_prefix(wide.size()), found = true;
      if (text.ends_with(wide)) text.remove_suffix(wide.size()), found = true;
    }
  }
  return text;
}

}  // namespace emptor::catalog
