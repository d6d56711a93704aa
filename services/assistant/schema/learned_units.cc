// Votes of titles for the units of attributes.
#include "services/assistant/schema/learned_units.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "retrieval/text/measure.h"
#include "services/assistant/schema/quantity_values.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxMeasures = 12;     // of a title
constexpr size_t kMinVotes = 3;         // records that agree on a unit
constexpr size_t kMinValues = 2;        // different values among them
constexpr double kShareOfVotes = 0.33;  // of the records whose titles state the dimension

/// Votes for the units of one attribute.
struct Votes {
  std::map<std::string, size_t, std::less<>> records;  // that state a quantity, by dimension
  /// By dimension: the value and the unit, as a factor, with the records that agree.
  std::map<std::string, std::map<double, std::map<double, size_t>>, std::less<>> units;
};

/// The unit of the dimension in which the number is that quantity; 0: none.
double FactorBetween(double number, const retrieval::Measure& measure) {
  for (const double factor : ScalesOf(std::string(measure.base))) {
    const double slack = retrieval::MeasureTolerance(measure.base);
    if (std::abs(number * factor - measure.value) <= measure.value * slack) return factor;
  }
  return 0;
}

void Vote(const std::vector<retrieval::Measure>& stated, double number, Votes& votes) {
  std::map<std::string_view, double> agreed;
  for (const retrieval::Measure& measure : stated) {
    const double factor = FactorBetween(number, measure);
    double& known = agreed.emplace(measure.base, 0).first->second;
    if (factor > 0) known = factor;
  }
  for (const auto& [base, factor] : agreed) {
    ++votes.records[std::string(base)];
    if (factor > 0) ++votes.units[std::string(base)][number][factor];
  }
}

/// The dimension on which titles agree; empty: none.
std::string DimensionOf(const Votes& votes) {
  std::string best;
  size_t most = 0;
  for (const auto& [base, values] : votes.units) {
    size_t agreed = 0;
    for (const auto& [number, factors] : values) {
      for (const auto& [factor, records] : factors) agreed += records;
    }
    const auto all = static_cast<double>(votes.records.at(base));
    const bool counts = agreed >= kMinVotes && values.size() >= kMinValues &&
                        static_cast<double>(agreed) >= kShareOfVotes * all;
    if (counts && agreed > most) {
      best = base;
      most = agreed;
    }
  }
  return best;
}

/// The unit of most records with that value; of the nearest value that has any.
double FactorOf(double number, const std::map<double, std::map<double, size_t>>& values) {
  const auto nearest = std::min_element(values.begin(), values.end(), [&](auto& a, auto& b) {
    return std::abs(std::log(a.first / number)) < std::abs(std::log(b.first / number));
  });
  const auto most =
      std::max_element(nearest->second.begin(), nearest->second.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

bool IsPlain(const SchemaValue& value) {
  return value.number && *value.number > 0 && value.unit.empty() && !value.number_to;
}

}  // namespace

void LearnUnits(const std::vector<const catalog::Product*>& products,
                std::vector<SchemaKey>& keys) {
  std::unordered_map<std::string, std::unordered_map<std::string, double>> plain;
  for (const SchemaKey& key : keys) {
    if (key.kind != SchemaKey::Kind::kNumber || IsCount(key) || IsPacking(key)) continue;
    for (const SchemaValue& value : key.values) {
      if (IsPlain(value)) plain[key.name][value.text] = *value.number;
    }
  }
  std::unordered_map<std::string, Votes> votes;
  for (const catalog::Product* product : products) {
    const auto stated = retrieval::FindMeasures(product->title, kMaxMeasures);
    if (stated.empty()) continue;
    for (const catalog::Attribute& each : product->attributes) {
      const auto key = plain.find(each.name);
      if (key == plain.end()) continue;
      const auto number = key->second.find(each.value);
      if (number != key->second.end()) Vote(stated, number->second, votes[each.name]);
    }
  }
  for (SchemaKey& key : keys) {
    const auto found = votes.find(key.name);
    const std::string base = found == votes.end() ? "" : DimensionOf(found->second);
    if (base.empty()) continue;
    const auto& units = found->second.units.at(base);
    for (SchemaValue& value : key.values) {
      if (!IsPlain(value)) continue;
      value.plain = value.number;
      value.unit = base;
      value.number = *value.number * FactorOf(*value.number, units);
    }
  }
}

}  // namespace emptor::services
