// How a follow-up changes the conditions before it: what no longer matters, what is fine as well,
// and what takes the place of what.
#pragma once

#include <string>
#include <vector>

#include "retrieval/filter/filter.h"
#include "services/assistant/schema/record_words.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// What a message lifts: "any brand", "doesn't have to be black".
struct Lifted {
  bool brand = false, colour = false, price = false;
  std::string text = {};  // folded, what is said to be no longer needed; may be empty

  bool empty() const { return !brand && !colour && !price && text.empty(); }
};

/// Pure.
Lifted ReadLifted(const FoldedMessage& message);

/// Drops what is lifted from the conditions of a search, or from those of the message itself.
void LiftFrom(const Lifted& lifted, retrieval::Filter& filter);
void LiftFrom(const Lifted& lifted, const RecordWords* words, std::vector<WordCondition>& said);

/// "HP is fine, too": the brands and colours of `filter` are alternatives to those of `before`, and
/// are no longer excluded by it.
void AddAlternatives(retrieval::Filter& before, retrieval::Filter& filter);

/// The conditions exclude each other as a rule: two makers, two colours, "men" and "women".
/// `words`: of the type's records; null: makers are not known. Pure.
bool AreAlternatives(const WordCondition& one, const WordCondition& other,
                     const RecordWords* words);

/// The `records` of the type have one or the other, often, and never both: "vanilla" and
/// "chocolate". A maker or a colour excludes nothing but its like. Pure.
bool ExcludeOneAnother(const WordCondition& one, const WordCondition& other,
                       const RecordWords& words, size_t records);

/// The other words of the dimension of `wanted`, folded, that none of `all` demands: what states
/// one is no such goods. Every word of the lexicon's dimensions is stemmed: once for each message.
/// Pure.
std::vector<std::string> AlternativesTo(const WordCondition& wanted,
                                        const std::vector<WordCondition>& all);

/// Joins demands of `said` to the demands of `before` to which they are alternatives, and drops
/// what allows something that nothing forbade.
void JoinAlternatives(const RecordWords* words, std::vector<WordCondition>& before,
                      std::vector<WordCondition>& said);

}  // namespace emptor::services
