// What is given up when nothing meets a filter: in a fixed order, told, and never more than needed.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/filter/filter.h"

namespace emptor::retrieval {

/// The conditions of a filter, each a member of its JSON form.
enum class FilterPart : uint8_t {
  kLocation,
  kAvailability,
  kMinRating,
  kCondition,
  kColor,
  kAttribute,
  kRange,
  kPrice,
  kBrand,
  kCategory,
  kLocale,
  kItemGroup,
  kExcludedBrand,
  kExcludedCategory,
  kExcludedColor,
  kExcludedTerm,
};
inline constexpr int kFilterPartCount = 16;

/// "price", "brand", "min_rating": what a reply calls a condition that it gave up.
std::string_view ToString(FilterPart part);

/// A set of parts.
class FilterParts {
 public:
  FilterParts() = default;
  FilterParts(std::initializer_list<FilterPart> parts) {
    for (const FilterPart part : parts) Insert(part);
  }
  void Insert(FilterPart part) { bits_ |= 1u << static_cast<uint8_t>(part); }
  bool contains(FilterPart part) const { return (bits_ >> static_cast<uint8_t>(part)) & 1; }

 private:
  uint32_t bits_ = 0;
};

/// Copies one condition, or its absence, from one filter to another.
void CopyPart(FilterPart part, const Filter& from, Filter& to);
/// True when the filter states that condition.
bool HasPart(FilterPart part, const Filter& filter);

/// What the words say, save where the request names a part itself: there the request's word holds,
/// also when it is that there is no condition.
Filter MergeFilters(const Filter& words, const Filter& asked, FilterParts named);

struct RelaxationStep {
  FilterPart part;
  bool widened = false;  // else dropped
};

/// Every step that may be taken, in the order in which they are tried: store, stock, rating, state,
/// colour, attributes, quantities wider by a fifth, then without; price wider by a quarter; brand;
/// price at all; category; locale. Parts in `fixed` and exclusions are never touched. Pure.
std::vector<RelaxationStep> PlanRelaxation(const Filter& filter, const FilterParts& fixed);

/// `filter` after these steps. Pure.
Filter ApplyRelaxation(const Filter& filter, std::span<const RelaxationStep> steps);

struct Relaxation {
  Filter filter;  // what was searched with in the end
  std::vector<RelaxationStep> steps;
};

/// Takes steps until `fits` finds something, then takes back those that were not needed. When
/// nothing ever fits, no step is taken. Errors: of `fits`.
absl::StatusOr<Relaxation> RelaxUntil(
    const Filter& filter, const FilterParts& fixed,
    const std::function<absl::StatusOr<bool>(const Filter&)>& fits);

}  // namespace emptor::retrieval
