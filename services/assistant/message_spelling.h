// Messages as phones type them, in the words of the lexicons.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// The message with short and colloquial spellings of its language written out
/// (data/lexicon/spellings.txt: "such nen" is "suche einen"), German "ue" as "ü" where that is a
/// word of the lexicons, and German compounds that no lexicon lists parted before the type or
/// behind the value that they hold: "Glaskrug" is "glas krug". Other text is kept as it is. Pure.
std::string SpellOut(std::string_view message, std::string_view language);

}  // namespace emptor::services
