// The language that a message is written in.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace emptor::services {

/// A function word of one of the languages: "between", "nicht". `word` is folded. Pure.
bool IsSmallWord(const std::string& word);

/// The same, or a word of the names of types, attributes, values and policies.
bool IsLexiconWord(const std::string& word);

/// The English words of those names that have four letters or more.
const std::unordered_set<std::string>& EnglishLexiconWords();

/// "en", "de", "fr", "es", "zh" or "ja", by script, function words (data/lexicon/languages.txt),
/// and the words of data/lexicon that belong to one language only. The language of the turn
/// `before` decides where little tells ("la segunda?"); empty where nothing tells ("16 GB?"). Pure.
std::string LanguageOfMessage(std::string_view message, std::string_view before = "");

}  // namespace emptor::services
