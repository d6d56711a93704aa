// Script look-up by ICU, and the short table.
#include "retrieval/text/latin.h"

#include <unicode/uscript.h>

namespace emptor::retrieval {

bool IsLatin(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &error) == USCRIPT_LATIN;
}

std::string_view PlainLatin(char32_t c) {
  switch (c) {
    case 0xE6:
      return "ae";
    case 0xF8:
      return "o";
    case 0x111:
      return "d";
    case 0x131:
      return "i";
    case 0x142:
      return "l";
    case 0x153:
      return "oe";
    default:
      return {};
  }
}

}  // namespace emptor::retrieval
