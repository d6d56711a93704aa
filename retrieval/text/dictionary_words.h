// Whether a word is one of a language's, by the dictionaries that spelling checkers use.
#pragma once

#include <string>
#include <string_view>

namespace emptor::retrieval {

/// How a word stands to a dictionary.
enum class DictionaryWord { kKnown, kUnknown, kNoDictionary };

/// Looks the lower-case word up as it is and as a name ("merlin", "Merlin"), in any inflection.
/// `language`: "en" so far; others, and machines without the dictionary, have none.
/// Thread-safety: any thread. The dictionary is read at the first call: some 30 ms, 10 MB.
DictionaryWord LookUpWord(const std::string& word, std::string_view language);

}  // namespace emptor::retrieval
