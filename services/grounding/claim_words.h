// Words that make claims about money, stock and ratings in free text, English and Chinese. Tables
// and pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "services/grounding/answer_lexer.h"

namespace emptor::services {

/// Words are lower-case; every number is "#".
inline constexpr std::string_view kNumberWord = "#";

/// A word that may begin a claim ("only", "costs", "for"): it is held until the next words.
bool IsLeadIn(std::string_view word);

/// The rule that forbids the phrase that ends with the last of `words`: "in stock", "# left",
/// "rated #", "# dollars". Nothing if no rule does. Considers at most the last four words.
std::optional<DropRule> FindForbiddenPhrase(std::span<const std::string> words);

/// The rule that forbids a sentence which ends with `words`: "... is available".
std::optional<DropRule> FindForbiddenEnding(std::span<const std::string> words);

/// "thirty" is "30", "forty-nine" is "49"; empty when the word is no number.
std::string ParseNumberWord(std::string_view word);

/// Capitalised words that name no product: days, countries, connectors, "I", "USB".
bool IsCommonProperWord(std::string_view lower_case_word);

/// Words that begin sentences: "the", "yes", "compare".
bool IsSentenceStarter(std::string_view lower_case_word);

/// True for "not", "no", "cannot", "don't", ...
bool IsNegation(std::string_view lower_case_word);

}  // namespace emptor::services
