// Language detection of texts and queries from function words, letters and the catalog's words.
#pragma once

#include <string_view>

#include "retrieval/text/stemmer.h"
#include "retrieval/words/vocabulary.h"

namespace emptor::retrieval {

/// The language that the function words and letters of `text` indicate; kOther when they indicate
/// none or contradict each other. Titles often have no function word; descriptions nearly always
/// do.
Language DetectLanguage(std::string_view text);

/// The same for a query. Words that occur in records of one language only count as evidence too.
/// The vocabulary's main language when nothing indicates another.
Language DetectQueryLanguage(std::string_view query, const Vocabulary& vocabulary);

}  // namespace emptor::retrieval
