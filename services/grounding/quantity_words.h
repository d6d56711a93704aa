// Quantities whose unit is a word, in five languages.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// A quantity with a unit that is a word, a range, or an age: "6 people" gives "6 Personen" for
/// "de", "2 to 5" gives "2 bis 5", "3 years and up" gives "ab 3 Jahren". Empty: no such quantity,
/// a unit that has no translation, or English. Pure.
std::string TranslateQuantity(std::string_view value, std::string_view language);

}  // namespace emptor::services
