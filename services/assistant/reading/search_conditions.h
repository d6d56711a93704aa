// The conditions of a search that a message states, and those that it takes over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/query/constraints.h"
#include "retrieval/query/query_tokens.h"
#include "services/assistant/schema/record_words.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// "Not HP", "something without a lid", "4 stars and up": no search text is left. Pure.
bool SaysOnlyConditions(const retrieval::QueryConstraints& constraints);

/// A follow-up keeps the conditions of the turn before unless it states that part itself.
/// Exclusions add up: "not Sony", then "no HP either". Pure.
void InheritFilter(const retrieval::Filter& before, retrieval::Filter& filter);

/// The text of a search with the words of a follow-up that it lacks, of bounded length: a
/// conversation may refine for ever. Pure.
std::string ContinuedSearch(const std::string& before, const std::string& added);

/// "32 GB of memory": the quantities of a message that no range of the filter states. Pure.
std::vector<retrieval::NumericRange> ExactQuantities(const std::string& message,
                                                     const retrieval::Filter& filter);

/// That a record states a quantity of the range, in the words of the message: "45 cm". Nothing
/// where its unit is none. Pure.
std::optional<WordCondition> DemandOf(const retrieval::NumericRange& range,
                                      std::string_view message);

/// "Sans fil" names a value and denies no thread: its English name stands for it. Pure.
std::string WithoutDenyingNames(std::string message, const std::string& language);

/// "Under 60 in black" bounds a price and names a colour, not sixty inches: a comma parts them.
/// Pure.
std::string PartPrepositions(const std::string& message, const std::string& language);

/// The folded message without its amounts of money: "120 dollars" is no size. `currency` of the
/// shop. Pure.
FoldedMessage WithoutAmounts(const FoldedMessage& message,
                             const std::vector<retrieval::QueryToken>& tokens,
                             const std::string& currency);

/// "With over a thousand reviews". Pure.
std::optional<int> ReadMinReviews(const FoldedMessage& message);

/// "Over $300 but under $100". Pure.
bool Contradicts(const retrieval::Filter& filter);

}  // namespace emptor::services
