// Values of an attribute by quantity, also where records name no unit.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/schema/type_schema.h"

namespace emptor::services {

/// The values between the bounds, which are in base units of the dimension `base`; infinite: open.
/// Values without a unit are read in the unit in which those of a usual record lie nearest to what
/// is asked for, `asked_factor` base units among equals. "58 to 62 cm" holds 60 cm. Pure.
std::vector<std::string> ValuesWithin(const SchemaKey& key, const std::string& base, double min,
                                      double max, double asked_factor);

/// Units in which a record may state a quantity of the dimension, as factors, the base unit first.
/// Pure.
const std::vector<double>& ScalesOf(const std::string& base);

/// True where an attribute without units states quantities of the dimension by its name, which
/// data/lexicon/quantities.txt knows: "capacity: 128" states gigabytes. Pure.
bool StatesDimension(const SchemaKey& key, const std::string& base);

/// True where its name says that it states another quantity. Pure.
bool StatesOtherDimension(const SchemaKey& key, const std::string& base);

/// True where its name says that digits in its values measure nothing. Pure.
bool StatesNoQuantity(const SchemaKey& key);

/// A number of things. Pure.
bool IsCount(const SchemaKey& key);

/// States something of the box that goods come in. Pure.
bool IsPacking(const SchemaKey& key);

/// A text of several quantities, none of which is the value. Pure.
bool IsProse(const SchemaValue& value);

/// The values of the lower (`low`) or upper half of the records: "quiet", "powerful". Pure.
std::vector<std::string> HalfOf(const SchemaKey& key, bool low);

/// Words that speak of the box: "package". Pure.
const std::vector<std::string>& PackingWords();

/// "Two inches" of an exact size are about two: screens of 10.1 inches are sold as those of 10.
/// Base units. Pure.
struct Interval {
  double min, max;
};
Interval RoundedSize(const std::string& base, double size);

}  // namespace emptor::services
