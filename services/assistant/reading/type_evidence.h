// What the records of a type know of a message: tells which of several types is meant, and that a
// type is not meant at all.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/reading/type_reading.h"
#include "services/assistant/schema/record_words.h"

namespace emptor::services {

/// What the message says besides the noun: neither story words nor numbers. Pure.
std::vector<WordCondition> WordsBesides(const FoldedMessage& message, const std::string& noun);

/// How many of the words the record of the type has that has most of them. Learns the type.
size_t CoverageOf(const TypeReading& reading, const ProductType& type,
                  const std::vector<WordCondition>& words);

/// "KVM switch" of "a switch to use one keyboard for two computers": of the sold types that are
/// called by the noun as well, the one with a record that has more of the other words than any
/// record of `named`. Nothing where none has at least two of them.
std::optional<ProductType> BetterOfNoun(const TypeReading& reading, const ProductType& named,
                                        const std::string& noun);

/// "Throw pillows" of "pillows", where no pillow of another kind is sold and the message says
/// nothing else: the only sold type that is called by the noun as well. Nothing where there are
/// several.
std::optional<ProductType> OnlySoldOfNoun(const TypeReading& reading, const ProductType& named,
                                          const std::string& noun);

/// "Wool balls for knitting": other goods of the shop are described by the words, and none of the
/// type.
bool KnowsNothingSaid(const TypeReading& reading, const ProductType& named,
                      const std::string& noun);

}  // namespace emptor::services
