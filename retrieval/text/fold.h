// Folding of text for comparison: "STRASSE" equals "straße", "ＵＳＢ" equals "usb".
#pragma once

#include <string>
#include <string_view>

namespace emptor::retrieval {

/// True when `text` is well-formed UTF-8 (no overlong forms, no surrogates).
bool IsValidUtf8(std::string_view text);

/// NFKC_Casefold of `text`, whitespace runs as one blank, ends trimmed. Ill-formed bytes become
/// U+FFFD. Used where whole values are compared: brands, categories, locales.
std::string FoldForComparison(std::string_view text);

/// The letters and digits of the folded text: "WH-1000 XM5" gives "wh1000xm5".
/// Used where identifiers are compared.
std::string FoldIdentifier(std::string_view text);

/// The words of the folded text with one blank between them: letters and digits, Latin letters
/// without accents, apostrophes dropped, anything else is a gap. "Café-Maschine, kid's 2,5 L" gives
/// "cafe maschine kids 2 5 l". With `keep_accents` "café maschine kids 2 5 l".
/// Used where words are counted, corrected and completed.
std::string FoldWords(std::string_view text, bool keep_accents = false);

}  // namespace emptor::retrieval
