// Folds by ICU, then takes words.
#include "catalog/text_safety/folded_words.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace emptor::catalog {

std::string FoldedWords(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const auto* folding = icu::Normalizer2::getNFKCCasefoldInstance(error);
  if (U_FAILURE(error)) return std::string(text);
  const auto source = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  const icu::UnicodeString folded = folding->normalize(source, error);
  icu::UnicodeString words;
  for (int32_t i = 0; i < folded.length(); i = folded.moveIndex32(i, 1)) {
    const UChar32 c = folded.char32At(i);
    if (u_ispunct(c) == 0 && u_isUWhiteSpace(c) == 0) {
      words.append(c);
    } else if (!words.isEmpty() && words.charAt(words.length() - 1) != u' ') {
      words.append(u' ');
    }
  }
  words.trim();
  std::string out;
  words.toUTF8String(out);
  return out;
}

}  // namespace emptor::catalog
