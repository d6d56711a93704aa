// Facts that a title states: "1.5 Litre", "12 inches", "3 Blade", "SPF 50".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The quantities of a title that a question asks for, as the title writes them: "how many litres"
/// finds "1.5 Litre", "how many blades" "3 Blade". Of several that differ, those next to a word of
/// the question; sizes are given together. `rest` are the words of the question that neither the
/// title's name nor its type accounts for: where one of them is not in the title, something else
/// is asked for. Empty: the title does not say. Pure; linear in the title.
std::vector<std::string> QuantitiesInTitle(const FoldedMessage& question, const FoldedMessage& rest,
                                           std::string_view title);

/// The quantity of that many base units as the title writes it: "85\"", "1920 x 1080" of base "px".
/// Empty: it states none. Pure; linear in the title.
std::string AmountAsWritten(std::string_view title, std::string_view base, double amount);

}  // namespace emptor::services
