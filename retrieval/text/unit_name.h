// Names of attributes that say the unit of their values.
#pragma once

#include <optional>
#include <string_view>

#include "retrieval/text/measure.h"

namespace emptor::retrieval {

/// The unit in "weight (kg)"; nothing for a name without one. `folded_name` is folded. Pure.
std::optional<UnitScale> UnitOfName(std::string_view folded_name);

}  // namespace emptor::retrieval
