// What was given up because nothing met it, as a sentence for the shopper.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "retrieval/filter/filter.h"
#include "retrieval/query/relaxation.h"

namespace emptor::services {

/// "Nothing meets every condition. Left out: brand Sony. Widened: price ≤ $35." in the language of
/// `locale` (BCP 47): English, German, French, Spanish, Chinese or Japanese, else English. Says of
/// `asked` what the steps gave up. Empty without steps. Pure.
std::string ExplainRelaxation(const retrieval::Filter& asked,
                              std::span<const retrieval::RelaxationStep> steps,
                              std::string_view locale);

/// In which of these languages somebody writes, told from characters and function words; English
/// where they tell nothing. A tag: "ja".
std::string_view LanguageOfWords(std::string_view text);

}  // namespace emptor::services
