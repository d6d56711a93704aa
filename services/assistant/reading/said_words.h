// The words in which a shopper stated a condition, to repeat them.
#pragma once

#include <string>
#include <string_view>

#include "retrieval/filter/filter.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The words of the span from the negation before it on: "dont think it has isofix"; with one word
/// before it where no negation is near. Pure.
std::string WithNegation(const FoldedMessage& message, const FoldedMessage::Span& span);

/// "16 gb", "≤ 6 kg". Pure.
std::string SaidOf(const retrieval::NumericRange& range, std::string_view message);

/// "Around 40 litres": the quantity stands behind such a word, not another one of the message.
/// Pure.
bool IsRough(const retrieval::NumericRange& range, const FoldedMessage& message);

/// The words of the message that fold to `folded`, as they stand there: "höhenverstellbar" for
/// "hohenverstellbar". `folded` itself where the message has no such words. Pure.
std::string AsWritten(std::string_view message, const std::string& folded);

}  // namespace emptor::services
