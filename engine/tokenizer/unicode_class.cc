// Character classes through ICU, with a table for ASCII.
#include "engine/tokenizer/unicode_class.h"

#include <algorithm>
#include <array>

#include "engine/tokenizer/detokenizer.h"
#include "unicode/bytestream.h"
#include "unicode/normalizer2.h"
#include "unicode/uchar.h"
#include "unicode/utf8.h"

namespace emptor::engine {
namespace {

CharClass ClassifyCodePoint(UChar32 code_point) {
  if (u_isUWhiteSpace(code_point)) return CharClass::kSpace;
  const uint32_t category = U_MASK(u_charType(code_point));
  if ((category & U_GC_L_MASK) != 0) return CharClass::kLetter;
  if ((category & U_GC_N_MASK) != 0) return CharClass::kNumber;
  if ((category & U_GC_P_MASK) != 0) return CharClass::kPunctuation;
  return CharClass::kOther;
}

const std::array<CharClass, 128> kAsciiClasses = [] {
  std::array<CharClass, 128> table{};
  for (int c = 0; c < 128; ++c) table[static_cast<size_t>(c)] = ClassifyCodePoint(c);
  return table;
}();

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const int length = Utf8Prefix(text);
    if (length <= 0) return false;
    text.remove_prefix(static_cast<size_t>(length));
  }
  return true;
}

const icu::Normalizer2* InstanceOf(UnicodeForm form, UErrorCode& error) {
  switch (form) {
    case UnicodeForm::kNfc:
      return icu::Normalizer2::getNFCInstance(error);
    case UnicodeForm::kNfd:
      return icu::Normalizer2::getNFDInstance(error);
    case UnicodeForm::kNfkc:
      return icu::Normalizer2::getNFKCInstance(error);
    case UnicodeForm::kNfkd:
      return icu::Normalizer2::getNFKDInstance(error);
  }
  return nullptr;
}

}  // namespace

Character CharacterAt(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (lead < 128) return {lead, kAsciiClasses[lead], 1};
  // A character is at most 4 bytes, so the index fits ICU's 32 bits whatever the text's length.
  const std::string_view window = text.substr(at, 4);
  const auto* bytes = reinterpret_cast<const uint8_t*>(window.data());
  int32_t next = 0;
  UChar32 code_point = 0;
  U8_NEXT(bytes, next, static_cast<int32_t>(window.size()), code_point);
  if (code_point < 0) return {-1, CharClass::kOther, 1};
  return {code_point, ClassifyCodePoint(code_point), static_cast<size_t>(next)};
}

CodePoint CodePointAt(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (lead < 128) return {lead, 1};
  const std::string_view window = text.substr(at, 4);
  const auto* bytes = reinterpret_cast<const uint8_t*>(window.data());
  int32_t next = 0;
  UChar32 code_point = 0;
  U8_NEXT(bytes, next, static_cast<int32_t>(window.size()), code_point);
  if (code_point < 0) return {-1, 1};
  return {code_point, static_cast<size_t>(next)};
}

void AppendUtf8(int32_t code_point, std::string& out) {
  std::array<char, 4> bytes{};
  size_t length = 0;
  U8_APPEND_UNSAFE(bytes.data(), length, code_point);
  out.append(bytes.data(), length);
}

bool IsOfUnicode(int32_t code_point, int version) {
  UVersionInfo age;
  u_charAge(code_point, age);
  return age[0] != 0 && age[0] <= version;
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<uint8_t>(c) < 128; });
}

std::string NormalizeUnicode(UnicodeForm form, std::string_view text) {
  constexpr size_t kMaxBytes = size_t{1} << 30;  // ICU counts in 32 bits
  if (IsAscii(text) || text.size() > kMaxBytes || !IsUtf8(text)) return std::string(text);
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = InstanceOf(form, error);
  if (U_FAILURE(error)) return std::string(text);
  std::string composed;
  icu::StringByteSink<std::string> sink(&composed);
  normalizer->normalizeUTF8(0, {text.data(), static_cast<int32_t>(text.size())}, sink, nullptr,
                            error);
  return U_FAILURE(error) ? std::string(text) : composed;
}

}  // namespace emptor::engine
