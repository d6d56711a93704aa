// Attributes in any unit, checked against titles.
#include "services/assistant/schema/ranked_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/title_facts.h"
#include "services/assistant/schema/type_schema.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxMeasures = 12;    // of a title
constexpr size_t kMaxValueBytes = 40;  // a longer one states several
constexpr double kSame = 0.1;          // by which an attribute and the title may differ
constexpr double kRounding = 0.03;     // by which two units of one title do
constexpr double kMinPixels = 100;     // of a side: "2 x 4" is none

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool IsPossible(double number, const RankedKey& rank) {
  return rank.most <= 0 || (number >= rank.least && number <= rank.most);
}

bool IsSame(double one, double other) { return std::abs(one - other) <= kSame * other; }

/// What a title states of the dimension.
struct InTitle {
  std::vector<double> all;
  double chosen = 0;      // 0: none
  bool is_clear = false;  // it states no other
};

/// The largest quantity, of those that it states in two units if there are any: the "2309m" of a
/// model's name is stated once, 58.4 cm (23") twice.
InTitle ReadTitle(std::string_view title, const RankedKey& rank) {
  InTitle read;
  if (rank.base.empty()) return read;
  if (rank.base == kPixels) {
    read.chosen = PixelsOf(title).value_or(0);
    return read;
  }
  for (const retrieval::Measure& measure : retrieval::FindMeasures(title, kMaxMeasures)) {
    const bool counts = measure.base == rank.base && IsPossible(measure.value, rank);
    if (counts) read.all.push_back(measure.value);
  }
  double repeated = 0;
  for (size_t i = 0; i < read.all.size(); ++i) {
    read.chosen = std::max(read.chosen, read.all[i]);
    for (size_t j = 0; j < i; ++j) {
      const double difference = std::abs(read.all[i] - read.all[j]);
      if (difference <= kRounding * read.all[i]) repeated = std::max(repeated, read.all[i]);
    }
  }
  if (repeated > 0) read.chosen = repeated;
  read.is_clear = repeated > 0 || read.all.size() == 1;
  return read;
}

/// "85" is a title's 2.16 m in inches.
bool IsSameInSomeUnit(double plain, double base_units, const std::string& base) {
  const std::vector<double>& scales = ScalesOf(base);
  return std::any_of(scales.begin(), scales.end(), [&](double scale) {
    const double slack = retrieval::MeasureTolerance(base) * base_units;
    return std::abs(plain * scale - base_units) <= slack;
  });
}

/// Of what the attribute states, in base units; nothing where it states none of the dimension.
std::optional<double> NumberIn(const std::string& value, const RankSource& source,
                               const std::string& base, const InTitle& title) {
  if (base == kPixels) return PixelsOf(value);
  if (value.size() > kMaxValueBytes || !BeginsWithNumber(value)) return std::nullopt;
  const auto quantity = QuantityOf(value);
  if (!quantity || quantity->number <= 0) return std::nullopt;
  if (quantity->unit == base) return quantity->number;
  if (!quantity->unit.empty()) return std::nullopt;
  for (const double stated : title.all) {
    if (IsSameInSomeUnit(quantity->number, stated, base)) return stated;
  }
  return quantity->number * source.factor;
}

/// "Thin" is what measures little in one direction, whatever the record calls it.
std::optional<RankedValue> LeastExtent(const catalog::Product& product) {
  std::optional<RankedValue> least;
  for (const std::string_view key : {"depth", "height", "width"}) {
    const std::string* const value = ValueOf(product, key);
    const auto quantity = value == nullptr ? std::nullopt : QuantityOf(*value);
    if (!quantity || quantity->number <= 0) return std::nullopt;
    if (!least || quantity->number < least->number) {
      least = RankedValue{quantity->number, std::string(key)};
    }
  }
  return least;
}

std::optional<RankedValue> ValueOfType(const catalog::Product& product, const RankedKey& rank) {
  const InTitle title = ReadTitle(product.title, rank);
  for (const RankSource& source : rank.sources) {
    if (source.key == kExtent) {
      if (auto extent = LeastExtent(product)) return extent;
      continue;
    }
    const std::string* const value = ValueOf(product, source.key);
    const auto number =
        value == nullptr ? std::nullopt : NumberIn(*value, source, rank.base, title);
    if (!number || !IsPossible(*number, rank)) continue;
    if (title.is_clear && !IsSame(*number, title.chosen)) break;
    return RankedValue{*number, source.key};
  }
  if (title.chosen <= 0) return std::nullopt;
  return RankedValue{title.chosen, std::string(kTitleKey),
                     AmountAsWritten(product.title, rank.base, title.chosen)};
}

}  // namespace

bool BeginsWithNumber(std::string_view value) {
  const size_t digit = value.find_first_of("0123456789");
  if (digit == std::string_view::npos) return false;
  // "IEC-320", "C14", "RJ45", "GeForce 8400 GS".
  const std::string before = retrieval::FoldWords(value.substr(0, digit));
  constexpr std::array<std::string_view, 11> kOfNumber = {
      "up to", "max", "maximum", "approx", "about", "ca", "over", "min", "from", "bis zu", "class"};
  return before.empty() || std::find(kOfNumber.begin(), kOfNumber.end(), before) != kOfNumber.end();
}

std::optional<double> PixelsOf(std::string_view text) {
  const auto number_at = [&](size_t& at) {
    double number = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number,
                                      std::chars_format::fixed);
    at = static_cast<size_t>(read.ptr - text.data());
    return read.ec == std::errc() ? number : 0;
  };
  for (size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at])) {
      ++at;
      continue;
    }
    const double width = number_at(at);
    size_t next = at;
    while (next < text.size() && text[next] == ' ') ++next;
    for (const std::string_view times : {"x", "X", "×", "*", "х"}) {
      if (!text.substr(next).starts_with(times)) continue;
      next += times.size();
      while (next < text.size() && text[next] == ' ') ++next;
      const double height = next < text.size() && IsDigit(text[next]) ? number_at(next) : 0;
      if (width >= kMinPixels && height >= kMinPixels) return width * height;
      break;
    }
  }
  return std::nullopt;
}

std::optional<RankedValue> RankedValueOf(const catalog::Product& product, const RankedKey& rank,
                                         int64_t now_unix, const catalog::Market& market) {
  if (rank.is_of_type()) return ValueOfType(product, rank);
  if (!rank.is_live()) {
    const std::string* const value = ValueOf(product, rank.key);
    if (value == nullptr || !BeginsWithNumber(*value)) return std::nullopt;
  }
  const auto number = NumberOf(product, rank.key, now_unix, market);
  if (!number) return std::nullopt;
  return RankedValue{*number, rank.key};
}

}  // namespace emptor::services
