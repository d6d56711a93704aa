// Comparison of quantities whose units may be unsaid.
#include "services/assistant/quantity_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "retrieval/text/measure.h"

namespace emptor::services {
namespace {

using View = std::string_view;

constexpr double kNearThreshold = 1.5;  // a bound may lie this far outside of the values

/// Units in which a record without a unit may state a quantity of the dimension, as factors.
std::vector<double> ScalesOf(const std::string& base) {
  if (base == "mm") return {1, 10, 25.4, 1000};
  if (base == "g") return {1, 1000, 453.6};
  if (base == "mb" || base == "kb" || base == "gb") return {1, 1000, 1000000};
  if (base == "ml") return {1, 10, 1000};
  return {1, 60, 1000, 1000000};
}

}  // namespace

std::vector<std::string> ValuesWithin(const SchemaKey& key, const std::string& base, double min,
                                      double max, double asked_factor) {
  const double slack = retrieval::MeasureTolerance(base);
  const auto within = [&](double number) {
    return number >= min - std::abs(min) * slack && number <= max + std::abs(max) * slack;
  };
  double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
  std::vector<std::string> found;
  for (const SchemaValue& value : key.values) {
    if (!value.number) continue;
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
  if (!found.empty() || base.empty() || least > most) return found;
  std::vector<double> scales = ScalesOf(base);
  scales.insert(scales.begin(), asked_factor);
  const double threshold = std::isfinite(min) ? min : max;
  for (const double scale : scales) {
    const double bound = threshold / scale;
    if (bound < least / kNearThreshold || bound > most * kNearThreshold) continue;
    for (const SchemaValue& value : key.values) {
      if (value.unit.empty() && value.number && within(*value.number * scale)) {
        found.push_back(value.text);
      }
    }
    return found;
  }
  return found;
}

bool StatesDimension(const SchemaKey& key, const std::string& base) {
  static const std::map<std::string, std::vector<View>, std::less<>> kWords = {
      {"mb", {"capacity", "memory", "storage"}},
      {"g", {"weight"}},
      {"mm", {"diagonal", "length"}},
      {"ml", {"capacity", "volume"}},
      {"w", {"power"}},
      {"hz", {"refresh", "frequency"}},
      {"mah", {"battery"}}};
  const auto words = kWords.find(base);
  return words != kWords.end() &&
         std::any_of(words->second.begin(), words->second.end(), [&](View word) {
           return std::find(key.words.begin(), key.words.end(), word) != key.words.end();
         });
}

}  // namespace emptor::services
