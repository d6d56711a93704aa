// Comparison of quantities whose units may be unsaid.
#include "services/assistant/schema/quantity_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "retrieval/text/measure.h"
#include "services/assistant/words/lexicons.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr std::string_view kCount = "count", kPacking = "packing", kNoQuantity = "none",
                           kMeasured = "measured", kComponent = "component";
constexpr double kNearThreshold = 1.5;    // a bound may lie this far outside of the values
constexpr size_t kMaxQuantityBytes = 40;  // a longer value states several
constexpr double kInch = 25.4;            // mm
constexpr double kLeastInches = 8;        // of a size that is called by its whole inches
constexpr double kInchesBelow = 0.6, kInchesAbove = 0.65;

const PhraseTable& TheDimensions() {
  static const auto* const dimensions = new PhraseTable(ParsePhraseTable(kQuantityLexicon, " : "));
  return *dimensions;
}

bool HasNameOf(const SchemaKey& key, const std::vector<std::string>& names) {
  const FoldedMessage name = FoldedMessage::FromFolded(key.folded);
  return name.HasAny(names);
}

bool IsDimension(std::string_view head) {
  return head != kCount && head != kPacking && head != kNoQuantity && head != kMeasured &&
         head != kComponent;
}

/// Behind the last of the names in that of the attribute, without what it has in brackets; 0: none.
size_t EndOfName(const SchemaKey& key, const std::vector<std::string>& names) {
  const std::string name = key.name.substr(0, key.name.find('('));
  const FoldedMessage folded(name);
  size_t end = 0;
  for (const std::string& each : names) {
    for (FoldedMessage rest = folded; rest.Find(each).found();) {
      const FoldedMessage::Span span = rest.Find(each);
      end = std::max(end, span.end);
      rest = rest.Without(span);
    }
  }
  return end;
}

/// What a usual record states, of values without a unit; 0: there are none.
double MedianOfPlain(const SchemaKey& key) {
  std::vector<std::pair<double, size_t>> numbers;
  size_t all = 0;
  for (const SchemaValue& value : key.values) {
    if (!value.number || !value.unit.empty() || *value.number <= 0) continue;
    numbers.emplace_back(*value.number, value.records);
    all += value.records;
  }
  std::sort(numbers.begin(), numbers.end());
  size_t passed = 0;
  for (const auto& [number, records] : numbers) {
    passed += records;
    if (2 * passed >= all) return number;
  }
  return 0;
}

/// The unit in which the usual value lies nearest to the threshold.
double NearestScale(const std::string& base, double median, double threshold, double asked_factor) {
  std::vector<double> scales = ScalesOf(base);
  scales.insert(scales.begin(), asked_factor);
  const auto distance = [&](double scale) {
    return std::abs(std::log(median * scale / threshold));
  };
  return *std::min_element(scales.begin(), scales.end(),
                           [&](double a, double b) { return distance(a) < distance(b); });
}

}  // namespace

const std::vector<double>& ScalesOf(const std::string& base) {
  static const std::map<std::string, std::vector<double>, std::less<>> kScales = {
      {"mm", {1, 10, 25.4, 304.8, 1000}},
      {"g", {1, 1000, 453.592, 28.3495}},
      {"mb", {1, 1000, 1000000}},
      {"ml", {1, 10, 1000}},
      {"hz", {1, 1e3, 1e6, 1e9}},
      {"w", {1, 1000}},
      {"mah", {1, 1000}}};
  static const std::vector<double> kBaseOnly = {1};
  const auto scales = kScales.find(base);
  return scales == kScales.end() ? kBaseOnly : scales->second;
}

std::vector<std::string> ValuesWithin(const SchemaKey& key, const std::string& base, double min,
                                      double max, double asked_factor) {
  const double slack = retrieval::MeasureTolerance(base);
  const auto within = [&](double number) {
    return number >= min - std::abs(min) * slack && number <= max + std::abs(max) * slack;
  };
  double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
  std::vector<std::string> found;
  for (const SchemaValue& value : key.values) {
    if (!value.number || IsProse(value)) continue;
    if (value.unit == base) {
      // "58 to 62 cm" fits a head of 60 cm.
      const bool holds =
          value.number_to && min == max && *value.number <= min && min <= *value.number_to;
      if (holds || within(*value.number)) found.push_back(value.text);
    } else if (value.unit.empty()) {
      least = std::min(least, *value.number);
      most = std::max(most, *value.number);
    }
  }
  const double threshold = std::isfinite(min) && min > 0 ? min : max;
  const double median = MedianOfPlain(key);
  if (!found.empty() || base.empty() || least > most || median <= 0 || threshold <= 0) return found;
  const double scale = NearestScale(base, median, threshold, asked_factor);
  const double bound = threshold / scale;
  if (bound < least / kNearThreshold || bound > most * kNearThreshold) return found;
  for (const SchemaValue& value : key.values) {
    if (value.unit.empty() && value.number && within(*value.number * scale)) {
      found.push_back(value.text);
    }
  }
  return found;
}

bool StatesDimension(const SchemaKey& key, const std::string& base) {
  const auto names = TheDimensions().find(base);
  if (names == TheDimensions().end() || !HasNameOf(key, names->second) || IsCount(key))
    return false;
  // "HDD transfer rate" is a rate.
  const size_t end = EndOfName(key, names->second);
  return std::none_of(TheDimensions().begin(), TheDimensions().end(), [&](const auto& other) {
    return IsDimension(other.first) && EndOfName(key, other.second) > end;
  });
}

bool StatesOtherDimension(const SchemaKey& key, const std::string& base) {
  if (StatesDimension(key, base)) return false;
  return std::any_of(TheDimensions().begin(), TheDimensions().end(), [&](const auto& names) {
    const bool is_other = IsDimension(names.first) || names.first == kCount ||
                          names.first == kPacking || names.first == kNoQuantity;
    return is_other && names.first != base && HasNameOf(key, names.second);
  });
}

bool StatesNoQuantity(const SchemaKey& key) {
  return HasNameOf(key, TheDimensions().find(kNoQuantity)->second) &&
         !(key.kind == SchemaKey::Kind::kNumber &&
           HasNameOf(key, TheDimensions().find(kMeasured)->second));
}

bool IsCount(const SchemaKey& key) { return HasNameOf(key, TheDimensions().find(kCount)->second); }

bool IsPacking(const SchemaKey& key) { return HasNameOf(key, PackingWords()); }

const std::vector<std::string>& PackingWords() { return TheDimensions().find(kPacking)->second; }

Interval RoundedSize(const std::string& base, double size) {
  const double inches = size / kInch;
  const bool is_whole = std::abs(inches - std::round(inches)) < 1e-6;
  if (base != "mm" || !is_whole || inches < kLeastInches) return {size, size};
  return {(inches - kInchesBelow) * kInch, (inches + kInchesAbove) * kInch};
}

bool IsProse(const SchemaValue& value) { return value.text.size() > kMaxQuantityBytes; }

std::vector<std::string> HalfOf(const SchemaKey& key, bool low) {
  std::vector<std::pair<double, size_t>> numbers;
  size_t all = 0;
  for (const SchemaValue& value : key.values) {
    if (!value.number) continue;
    numbers.emplace_back(*value.number, value.records);
    all += value.records;
  }
  std::sort(numbers.begin(), numbers.end());
  size_t passed = 0;
  double median = 0;
  for (const auto& [number, records] : numbers) {
    median = number;
    passed += records;
    if (2 * passed >= all) break;
  }
  std::vector<std::string> found;
  for (const SchemaValue& value : key.values) {
    if (value.number && (low ? *value.number <= median : *value.number >= median)) {
      found.push_back(value.text);
    }
  }
  return found;
}

}  // namespace emptor::services
