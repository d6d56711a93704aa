// Ranges of one message that bound the same quantity.
#pragma once

#include <vector>

#include "retrieval/filter/filter.h"

namespace emptor::services {

/// "Bigger than 40 inches but smaller than 60": adds the bound of `more` to the range. False, and
/// nothing is changed, where one of them has another dimension, or the range has that side already.
/// Pure.
bool JoinRange(const retrieval::NumericRange& more, retrieval::NumericRange& range);

/// Both bounds stand on one number: "about 25 m2" is from 22.5 to 27.5. Pure.
bool IsAbout(const retrieval::NumericRange& range);

/// Takes the quantities out of `exact` that one of the ranges holds: "about 25 m2" is no 25 m2 as
/// well. Pure.
void EraseHeld(const std::vector<retrieval::NumericRange>& ranges,
               std::vector<retrieval::NumericRange>& exact);

}  // namespace emptor::services
