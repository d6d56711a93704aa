// Values of an attribute by quantity, also where records name no unit.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/type_schema.h"

namespace emptor::services {

/// The values between the bounds, which are in base units of the dimension `base`; infinite: open.
/// Values without a unit are read in the unit asked for (`asked_factor` base units), else in the
/// first common one in which the bound lies among them. "58 to 62 cm" holds 60 cm. Pure.
std::vector<std::string> ValuesWithin(const SchemaKey& key, const std::string& base, double min,
                                      double max, double asked_factor);

/// True where an attribute without units states quantities of the dimension by its name:
/// "capacity: 128" states gigabytes. Pure.
bool StatesDimension(const SchemaKey& key, const std::string& base);

}  // namespace emptor::services
