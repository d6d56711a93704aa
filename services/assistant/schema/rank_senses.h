// Adjectives whose property depends on the type of goods: "the biggest" of televisions has the
// largest diagonal, of disks the greatest capacity (data/lexicon/ranks.txt).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "services/assistant/schema/ranked_values.h"
#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// What a word ranks by, and where it stands. Place, count and superlative are not read.
struct SenseRank {
  RankedKey rank;
  FoldedMessage::Span span;
};

/// "Biggest", "the most storage", of goods of the type that `type_names` name, folded, its
/// canonical name among them. Nothing where no such word stands in the message, the property of the
/// type is not known, or another attribute is named next to the word ("the biggest battery"). Pure.
std::optional<SenseRank> RankBySense(const FoldedMessage& message, const TypeSchema& schema,
                                     const std::vector<std::string>& type_names);

/// Adjectives in the positive, of goods of the type: "a cheap, small kettle" prefers low prices and
/// low capacities, "not too big" as well (data/lexicon/degrees.txt). An adjective of other goods
/// counts for nothing: "for my small business". Pure.
std::vector<SenseRank> FindDegrees(const FoldedMessage& message, const TypeSchema& schema,
                                   const std::vector<std::string>& type_names);

/// "Most powerful", "the most watts": by the quantities of titles, where no attribute is named so.
/// Pure.
std::optional<SenseRank> RankByTitles(const FoldedMessage& message);

}  // namespace emptor::services
