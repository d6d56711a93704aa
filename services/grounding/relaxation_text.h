// Explains relaxed conditions in a sentence for the shopper.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "retrieval/filter/filter.h"
#include "retrieval/query/relaxation.h"

namespace emptor::services {

/// "Nothing meets every condition. Left out: brand Sony. Widened: price ≤ $35." in the language of
/// `locale` (BCP 47): English, German, French, Spanish, Chinese or Japanese, else English. Names
/// the conditions of `asked` that the steps gave up. Empty without steps. Pure.
std::string ExplainRelaxation(const retrieval::Filter& asked,
                              std::span<const retrieval::RelaxationStep> steps,
                              std::string_view locale);

/// The tag of the language of a text ("ja"), detected from characters and function words among
/// those languages; "en" when they decide nothing.
std::string_view LanguageOfWords(std::string_view text);
/// The same; empty when they decide nothing.
std::string_view DetectedLanguage(std::string_view text);

}  // namespace emptor::services
