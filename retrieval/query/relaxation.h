// Relaxation: drops or widens conditions, in a fixed order, when no record meets a filter.
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

/// "price", "brand", "min_rating": the name of a relaxed condition in a reply.
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

/// The conditions of the query's words (`words`), overridden by the request's (`asked`) for every
/// part in `named`, also when the request states no condition for it.
Filter MergeFilters(const Filter& words, const Filter& asked, FilterParts named);

struct RelaxationStep {
  FilterPart part;
  bool widened = false;  // else dropped
};

/// Every possible step in the order in which they are tried: store, stock, rating, condition,
/// colour, attributes, quantities widened by a fifth, then dropped; price widened by a quarter;
/// brand; price dropped; category; locale. Parts in `fixed` and exclusions are never relaxed. Pure.
std::vector<RelaxationStep> PlanRelaxation(const Filter& filter, const FilterParts& fixed);

/// `filter` after these steps. Pure.
Filter ApplyRelaxation(const Filter& filter, std::span<const RelaxationStep> steps);

struct Relaxation {
  Filter filter;  // the relaxed filter
  std::vector<RelaxationStep> steps;
};

/// Takes steps until `fits` returns true, then reverts those that were not needed. When it never
/// does, no step is taken. Errors: of `fits`.
absl::StatusOr<Relaxation> RelaxUntil(
    const Filter& filter, const FilterParts& fixed,
    const std::function<absl::StatusOr<bool>(const Filter&)>& fits);

}  // namespace emptor::retrieval
