// Conditions by a number and what it counts: "for 4 people", "SPF 50", "10x zoom"; and conditions
// by whom goods are for: "size L", "for a six year old".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The values of an attribute that meet what the message says at `span`.
struct KeyCondition {
  const SchemaKey* key = nullptr;
  std::vector<std::string> values = {};
  FoldedMessage::Span span = {};
  std::string said = {};    // number and what it counts, folded; empty: the span
  bool is_greater = false;  // no record has the number: the values are greater
};

/// Of each number of the message the condition on what stands next to it; a number with a unit of
/// measure is none. Pure.
std::vector<KeyCondition> FindCounts(const FoldedMessage& message, std::string_view language,
                                     const TypeSchema& schema);

/// Sizes, in letters or numbers, which "XS to XXL" and "US 6 to 13" hold. Pure.
std::vector<KeyCondition> FindSizes(const FoldedMessage& message, const TypeSchema& schema);

/// A size as titles name it, where no attribute states sizes: "size 34", "xl size".
struct SizeDemand {
  WordCondition condition;
  FoldedMessage::Span span;  // in the message
};

/// Nothing where the message names no size. Pure.
std::optional<SizeDemand> FindSizeDemand(const FoldedMessage& message);

/// The ages that suit the person whose age the message names: a six year old is too young for "8
/// years and up". Pure.
std::vector<KeyCondition> FindAges(const FoldedMessage& message, const TypeSchema& schema);

/// True where an attribute states for which area or load goods are made: more does as well. Pure.
bool StatesReach(const SchemaKey& key);
/// The length of hoses and cables, which reaches a place: what is longer does as well. Pure.
bool RunsAlong(const SchemaKey& key);

/// The number that a folded word of any language stands for; 0: none. Pure.
int NumberOfAnyWord(const std::string& word);

}  // namespace emptor::services
