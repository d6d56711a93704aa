// Which language a text or a query is in: function words, letters, and the catalog's own words.
#pragma once

#include <string_view>

#include "retrieval/text/stemmer.h"
#include "retrieval/words/vocabulary.h"

namespace emptor::retrieval {

/// The language that function words and letters of `text` speak for; kOther when they say nothing
/// or contradict each other. Titles often hold none; descriptions nearly always do.
Language DetectLanguage(std::string_view text);

/// The same for a query, with the words that only records of one language have as further evidence;
/// the vocabulary's main language where nothing speaks for another.
Language DetectQueryLanguage(std::string_view query, const Vocabulary& vocabulary);

}  // namespace emptor::retrieval
