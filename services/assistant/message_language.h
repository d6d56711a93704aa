// The language that a message is written in.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// "en", "de", "fr", "es", "zh" or "ja", by script, function words, and the words of data/lexicon
/// that belong to one language only; empty where nothing tells ("16 GB?"). Pure.
/// A function word of one of the languages: "between", "nicht". `word` is folded. Pure.
bool IsSmallWord(const std::string& word);

std::string LanguageOfMessage(std::string_view message);

}  // namespace emptor::services
