// What code says, in five languages: data/phrases, docs/formats/phrases.md.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace emptor::services {

using PhraseArguments = std::initializer_list<std::pair<std::string_view, std::string>>;

/// The text of a key in a language, "en" where the language or its wording is missing. The seed
/// chooses among several wordings. Empty for an unknown key. Thread-safety: any thread.
std::string Phrase(std::string_view language, std::string_view key, uint64_t seed = 0,
                   PhraseArguments arguments = {});

/// Its first wording, as it stands in the file. Lifetime: of the program.
std::string_view Wording(std::string_view language, std::string_view key);

}  // namespace emptor::services
