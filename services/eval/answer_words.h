// What an answer's words do, by phrases of five languages. For judging alone: it shares nothing
// with what the assistant checks its own answers by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/eval/gold_records.h"

namespace emptor::services {

/// "en", "de", "fr", "es" or "zh", by the most frequent function words, of equals `expected`; empty
/// when it has none.
std::string LanguageOfAnswer(std::string_view text, std::string_view expected = "");

/// Sentences and list items, without what ends them. Decimal points and abbreviations end none.
std::vector<std::string> SentencesOf(std::string_view text);

/// Whether a sentence affirms or denies: by its first word, else by a negation. kUnknown: it says
/// that the record does not say.
Truth PolarityOf(std::string_view sentence);

/// True when the text begins with yes or no.
bool BeginsWithYesOrNo(std::string_view text);

/// `admission`: "unknown", "not_sold", "nothing", "contradiction", "unsure", "refusal".
bool Admits(std::string_view admission, std::string_view text);

/// True when the text holds the phrase; letter case, spaces and punctuation do not count.
bool SaysPhrase(std::string_view text, std::string_view phrase);

/// True when the text states a record's value: all its numbers, and most of its words. "yes" and
/// "no" are stated by the polarity of the text; an availability by its words.
bool StatesValue(std::string_view text, std::string_view key, const std::string& value);

}  // namespace emptor::services
