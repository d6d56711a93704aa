// The words around a condition: what denies it, lifts it, or makes a bound of its number.
#pragma once

#include <cstddef>
#include <string_view>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

inline constexpr size_t kNegationReach = 24;  // bytes before a name in which a negation counts

/// "Without" shortly before `at`. "有没有" asks, and denies nothing. Pure.
bool IsNegatedAt(const FoldedMessage& message, size_t at);

/// What stands at `at` no longer matters: "don't need bluetooth", "managed is ok too". Pure.
bool IsLiftedAt(const FoldedMessage& message, size_t at);

/// "Any" stands right before `at`. Pure.
bool IsAnyAt(const FoldedMessage& message, size_t at);

/// The value says where goods are used: "for the office". Records of most goods do not name it.
/// Pure.
bool IsPlacePurpose(const FoldedMessage& message, std::string_view canonical,
                    const FoldedMessage::Span& span);

/// The value is demanded also where no record of a type has it: "bluetooth", but not "large". Pure.
bool IsFeature(std::string_view canonical);

/// "Years", of a message, demands nothing of records. Pure.
bool IsTimeWord(std::string_view canonical);

/// "Dog", of a message that speaks of a puppy or a labrador; empty: it names no pet. Pure.
std::string_view PetOf(const FoldedMessage& message);

/// The pet of "a toy for my cat", "dog brush": right before the goods, or what they are for. Pure.
std::string_view PetOfGoods(const FoldedMessage& message, const FoldedMessage::Span& goods);

/// "With a lunch box": what the message begins with is part of goods that are not named. Pure.
bool BeginsWithPart(const FoldedMessage& message);

/// "Size", "EU": what stands before the number of a size. Pure.
bool IsSizeWord(std::string_view word);

/// "Colour" of "red colour" demands nothing itself. Pure.
bool IsPropertyNoun(std::string_view word);

/// "women's", of a message that says "for my wife": a value of data/lexicon/values.txt; empty: it
/// names nobody. Pure.
std::string_view RecipientOf(const FoldedMessage& message);

/// What the words around a number make of it.
struct WordedBound {
  bool is_min = false, is_max = false, is_rough = false;
};

/// "At least 4", "4 or more", "about 4": of the number at `span`. Pure.
WordedBound BoundAt(const FoldedMessage& message, const FoldedMessage::Span& span);

}  // namespace emptor::services
