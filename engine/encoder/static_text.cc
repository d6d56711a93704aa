// Case folding and the classes of characters.
#include "engine/encoder/static_text.h"

#include <algorithm>

#include "unicode/normalizer2.h"
#include "unicode/uchar.h"
#include "unicode/unistr.h"

namespace emptor::engine {
namespace {

constexpr size_t kMaxBytes = 1u << 28;

enum class CharacterClass { kSeparator, kDigit, kChinese, kLetter };

bool IsChinese(UChar32 c) {
  return (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x323af);
}

CharacterClass ClassOf(UChar32 c) {
  const auto mask = U_GET_GC_MASK(c);
  if ((mask & U_GC_ND_MASK) != 0) return CharacterClass::kDigit;
  if ((mask & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) == 0) return CharacterClass::kSeparator;
  return IsChinese(c) ? CharacterClass::kChinese : CharacterClass::kLetter;
}

/// True where the point or comma at `at` stands between two digits.
bool IsDecimalPoint(const icu::UnicodeString& text, int32_t at) {
  const char16_t c = text[at];
  if ((c != u'.' && c != u',') || at == 0 || at + 1 >= text.length()) return false;
  return ClassOf(text.char32At(at - 1)) == CharacterClass::kDigit &&
         ClassOf(text.char32At(at + 1)) == CharacterClass::kDigit;
}

icu::UnicodeString SeparateWords(const icu::UnicodeString& text) {
  icu::UnicodeString words;
  auto before = CharacterClass::kSeparator;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    UChar32 c = text.char32At(at);
    auto now = ClassOf(c);
    if (IsDecimalPoint(text, at)) {
      now = CharacterClass::kDigit;
      c = '.';
    }
    if (now != CharacterClass::kSeparator) {
      if (now != before && !words.isEmpty()) words.append(u' ');
      words.append(c);
    }
    before = now;
  }
  return words;
}

}  // namespace

std::optional<StaticText> ParseStaticText(std::string_view name) {
  if (name == "nfkc_casefold") return StaticText::kCaseFolded;
  if (name == "nfkc_casefold_words") return StaticText::kWords;
  return std::nullopt;
}

std::string NormalizeStaticText(StaticText kind, std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const nfkc_casefold = icu::Normalizer2::getNFKCCasefoldInstance(error);
  if (U_FAILURE(error)) return std::string(text);
  const auto length = static_cast<int32_t>(std::min(text.size(), kMaxBytes));
  const icu::UnicodeString source =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), length));
  const icu::UnicodeString folded = nfkc_casefold->normalize(source, error);
  if (U_FAILURE(error)) return std::string(text);
  std::string out;
  return kind == StaticText::kWords ? SeparateWords(folded).toUTF8String(out)
                                    : folded.toUTF8String(out);
}

}  // namespace emptor::engine
