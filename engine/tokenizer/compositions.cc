// Asks ICU for the decomposition of every character.
#include "engine/tokenizer/compositions.h"

#include "unicode/normalizer2.h"
#include "unicode/uchar.h"
#include "unicode/unistr.h"

namespace emptor::engine {
namespace {

constexpr uint8_t kUnicodeVersion = 10;

}  // namespace

void AddCompositions(CharacterRules& rules) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(error);
  if (U_FAILURE(error)) return;
  const auto utf8 = [](const icu::UnicodeString& text) {
    std::string out;
    text.toUTF8String(out);
    return out;
  };
  const CharacterRules characters = rules;
  for (UChar32 c = 0x80; c <= 0x10ffff; ++c) {
    icu::UnicodeString parts;
    UVersionInfo age;
    if (!nfc->getRawDecomposition(c, parts) || parts.countChar32() < 2) continue;
    u_charAge(c, age);
    const icu::UnicodeString composed(c);
    if (age[0] > kUnicodeVersion || nfc->normalize(parts, error) != composed) continue;
    const std::string text = utf8(composed);
    const auto found = characters.find(text);
    const std::string& replacement = found == characters.end() ? text : found->second;
    rules.emplace(utf8(parts), replacement);
    if (nfc->getDecomposition(c, parts)) rules.emplace(utf8(parts), replacement);
  }
}

}  // namespace emptor::engine
