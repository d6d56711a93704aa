// In which units a shop's records state attributes whose values are plain numbers: "weight: 1230"
// is in grams, as titles and descriptions of other products say.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "catalog/product.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A unit of data/lexicon/units.txt.
struct ValueUnit {
  std::string base;    // as retrieval/text/measure.h names it; empty: of no dimension that it knows
  double factor = 1;   // base units
  std::string symbol;  // "g"
};

/// Learned in one pass over the shop's products: Add for each, then Finish.
/// Thread-safety: const methods.
class ShopUnits {
 public:
  /// The quantities of its title and description vote for the units of its plain numbers.
  void Add(const catalog::Product& product);
  /// Keeps what the votes decide.
  void Finish();

  /// The unit of the attribute for that number; where votes are missing, the one that data sheets
  /// always use. Nothing: not known, or the number counts something.
  std::optional<ValueUnit> UnitOf(std::string_view name, double number) const;

 private:
  /// By dimension: the number, and by factor the records that agree.
  using Votes = std::map<std::string, std::map<double, std::map<double, size_t>>, std::less<>>;
  /// What was decided for an attribute.
  struct Decision {
    std::string base;
    double factor = 1;
    std::map<double, double> others;  // factors of numbers that records state in another unit
  };

  static std::optional<Decision> Decide(const std::string& name, const Votes& votes);

  std::unordered_map<std::string, Votes> votes_;  // by name; empty once finished
  std::unordered_map<std::string, Decision> decisions_;
};

/// A quantity in base units, or an interval.
struct RecordQuantity {
  std::string base;
  double from = 0, to = 0;
};

/// The quantity of a value, by the unit that it names, else by that of the shop. Nothing for text,
/// several quantities and numbers of unknown unit. `units` may be null. Pure.
std::optional<RecordQuantity> ReadQuantity(const catalog::Attribute& attribute,
                                           const ShopUnits* units);

/// What stands behind a value in an answer: " g" behind "1230", and the unit that the question asks
/// for, " (2.71 lb)". Empty: the record says it all. `units` may be null. Pure.
std::string UnitBehind(const catalog::Attribute& attribute, const ShopUnits* units,
                       const FoldedMessage& question, std::string_view language);

}  // namespace emptor::services
