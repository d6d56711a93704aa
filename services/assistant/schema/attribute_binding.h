// Words of a message to the attributes that products of a type have.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "retrieval/filter/filter.h"
#include "services/assistant/schema/ranked_values.h"
#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// Keys of the schema that a message speaks about, as RankKeys orders them. Pure.
std::vector<const SchemaKey*> ResolveAttributes(const FoldedMessage& message,
                                                const TypeSchema& schema);

/// "Lowest" at that place: it ranks by any attribute that is named as well. Pure.
bool IsGenericRank(const FoldedMessage& message, const FoldedMessage::Span& span);

/// A word ranks by the attribute that is named with it: "longer". Pure.
bool SaysGenericRank(const FoldedMessage& message);

/// The message without the words that rank by what every record has: "how many ports has" of "how
/// many ports has the cheapest". Pure.
FoldedMessage WithoutRankWords(const FoldedMessage& message);

/// "The cheapest", "which one is lighter", "longest battery life", in five languages. Nothing where
/// no word ranks. "Biggest" ranks by what it means for the type, of which `type_names` are names,
/// folded. Pure.
std::optional<RankedKey> ResolveRank(const FoldedMessage& message, const TypeSchema& schema,
                                     const std::vector<std::string>& type_names = {});

/// Conditions on attributes.
struct BoundConditions {
  std::vector<retrieval::AttributeCondition> attributes;
  std::vector<retrieval::AttributeCondition> wishes;  // "quiet": preferred, given up first
  std::vector<std::string> lifted;  // keys that no longer matter: "don't need bluetooth then"
  std::vector<std::string> named;   // keys of the conditions that the shopper named
  /// Values that records state in several attributes or in their titles.
  std::vector<WordCondition> demanded;
  /// Quantities that no attribute of the type states: its titles may.
  std::vector<retrieval::NumericRange> unstated;
  /// Exact quantities of an attribute that no record has; the next greater ones are conditions.
  std::vector<retrieval::NumericRange> missing;
  /// What the message says of the key of a condition or wish, folded: "4 people" of "capacity".
  std::vector<std::pair<std::string, std::string>> said;
  std::vector<std::string> read;  // folded words of the message that demand nothing further
  /// Names of attributes to which every record of the type says no, folded: "full hd".
  std::vector<std::string> absent;
  bool contradicts = false;  // bounds of one attribute exclude each other
};

/// What conditions are for.
enum class ConditionUse {
  kSearch,
  kQuestion,  // of one record: a value is asked of its attribute, and nothing of the whole record
};

/// What a message demands of products of a type: "noise cancelling" (not no), "without" (no),
/// a value ("wide", "aus Baumwolle"), a wish ("quiet": the lower half of the noise levels), and the
/// quantities of `ranges` with the attribute that they fit ("16 GB ram": the one that is named next
/// to the quantity, else the one of that dimension that most records state). Each becomes the list
/// of the type's values that meet it. What names the type (`type_words`) demands nothing. Ranges
/// that are bound are removed; of `exact`, those that fit no attribute demand nothing. Pure.
BoundConditions BindConditions(const FoldedMessage& message, std::string_view language,
                               const TypeSchema& schema, const std::vector<std::string>& type_words,
                               std::vector<retrieval::NumericRange>& ranges,
                               const std::vector<retrieval::NumericRange>& exact = {},
                               ConditionUse use = ConditionUse::kSearch);

}  // namespace emptor::services
