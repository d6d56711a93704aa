// Joins in the units of the range that stays.
#include "services/assistant/reading/range_joins.h"

#include <algorithm>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"

namespace emptor::services {
namespace {

using retrieval::NumericRange;

constexpr double kAbout = 1.3;  // the larger bound of what is about a number, as a share

auto UnitOf(const NumericRange& range) {
  return retrieval::FindUnit(retrieval::FoldWords(range.unit));
}

}  // namespace

bool JoinRange(const NumericRange& more, NumericRange& range) {
  const auto from = UnitOf(more), to = UnitOf(range);
  if (!from || !to || from->base != to->base) return false;
  if ((more.min && range.min) || (more.max && range.max)) return false;
  const double factor = from->factor / to->factor;
  if (more.min) range.min = *more.min * factor, range.min_open = more.min_open;
  if (more.max) range.max = *more.max * factor, range.max_open = more.max_open;
  return true;
}

bool IsAbout(const NumericRange& range) {
  return range.min && range.max && *range.min < *range.max && *range.max <= *range.min * kAbout;
}

void EraseHeld(const std::vector<NumericRange>& ranges, std::vector<NumericRange>& exact) {
  std::erase_if(exact, [&](const NumericRange& each) {
    const auto unit = UnitOf(each);
    return std::any_of(ranges.begin(), ranges.end(), [&](const NumericRange& range) {
      const auto other = UnitOf(range);
      if (!unit || !other || unit->base != other->base || !IsAbout(range) || !each.min)
        return false;
      const double number = *each.min * unit->factor / other->factor;
      return number >= *range.min && number <= *range.max;
    });
  });
}

}  // namespace emptor::services
