// What goods are asked for, and what they are for: "a bag for my laptop".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::services {

/// "Drones with a camera", "a bag for my laptop": what is asked for comes first. "Bolsa para
/// portátil" is the name of a type, and not cut. Pure.
std::string_view BeforePurpose(std::string_view folded, std::string_view language);

/// At most `count` of the words of a folded text. Pure.
std::string FirstWords(std::string_view text, size_t count);

/// "Phone", of "redmi": lines that data/lexicon/kinds.txt lists; empty: none. Pure.
std::string TypeOfKnownLine(const std::string& word);

}  // namespace emptor::services
