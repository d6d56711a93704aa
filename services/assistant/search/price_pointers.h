// Products that a message points at by what they cost: "the 33.95 one", "the kensington for 35".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/search/named_subject.h"

namespace emptor::services {

/// Understanding::turn_rule of a message whose products are found so.
inline constexpr std::string_view kPointsByPrice = "points by price";

/// What a product that is meant costs.
struct PricePointer {
  int64_t amount = 0;     // in minor units
  bool is_whole = false;  // said without them: "the 34 one" costs 33.95

  bool operator==(const PricePointer&) const = default;
};

/// Amounts behind an article, with "one" or a preposition ("der für 191", "celle à 9 dollars",
/// "114.95的那个"), and amounts with two decimals; no bounds, and nothing with a unit of measure.
/// Pure.
std::vector<PricePointer> FindPricePointers(const std::string& message);

/// The product of each pointer, in their order: the latest of those shown that costs it, else the
/// only one of the topic; of several, the one whose title has most of the message's words. Empty:
/// there is no pointer, or one that means no product or several. Errors: those of the store.
absl::StatusOr<std::vector<std::string>> FindPriced(const SubjectInput& input);

}  // namespace emptor::services
