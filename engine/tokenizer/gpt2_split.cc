// GPT-2's regular expression as a hand-written matcher.
#include "engine/tokenizer/gpt2_split.h"

#include <array>
#include <cstdint>

#include "unicode/uchar.h"
#include "unicode/utf8.h"

namespace emptor::engine {
namespace {

enum class CharClass : uint8_t { kLetter, kNumber, kSpace, kOther };

struct Character {
  CharClass char_class;
  size_t bytes;
};

CharClass ClassifyCodePoint(UChar32 code_point) {
  if (code_point < 0) return CharClass::kOther;
  if (u_isUWhiteSpace(code_point)) return CharClass::kSpace;
  const uint32_t category = U_MASK(u_charType(code_point));
  if ((category & U_GC_L_MASK) != 0) return CharClass::kLetter;
  if ((category & U_GC_N_MASK) != 0) return CharClass::kNumber;
  return CharClass::kOther;
}

const std::array<CharClass, 128>& AsciiClasses() {
  static const std::array<CharClass, 128> classes = [] {
    std::array<CharClass, 128> table{};
    for (int c = 0; c < 128; ++c) table[static_cast<size_t>(c)] = ClassifyCodePoint(c);
    return table;
  }();
  return classes;
}

/// The character at `at`; a byte that is not UTF-8 is one character of class kOther.
Character CharacterAt(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (lead < 128) return {AsciiClasses()[lead], 1};
  // A character is at most 4 bytes, so the index fits ICU's 32 bits whatever the text's length.
  const std::string_view window = text.substr(at, 4);
  const auto* bytes = reinterpret_cast<const uint8_t*>(window.data());
  int32_t next = 0;
  UChar32 code_point = 0;
  U8_NEXT(bytes, next, static_cast<int32_t>(window.size()), code_point);
  if (code_point < 0) return {CharClass::kOther, 1};
  return {ClassifyCodePoint(code_point), static_cast<size_t>(next)};
}

/// 's 't 're 've 'm 'll 'd at the front; 0: none.
size_t ContractionLength(std::string_view text) {
  if (text.size() < 2 || text[0] != '\'') return 0;
  switch (text[1]) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return 2;
    case 'r':
    case 'v':
      return text.size() > 2 && text[2] == 'e' ? 3 : 0;
    case 'l':
      return text.size() > 2 && text[2] == 'l' ? 3 : 0;
    default:
      return 0;
  }
}

/// End of the run of characters of one class that begins at `begin`.
size_t RunEnd(std::string_view text, size_t begin, CharClass wanted) {
  size_t end = begin;
  while (end < text.size()) {
    const Character c = CharacterAt(text, end);
    if (c.char_class != wanted) break;
    end += c.bytes;
  }
  return end;
}

/// \s+(?!\S)|\s+ : a run of blanks leaves its last one to the word behind it.
size_t BlankLength(std::string_view text) {
  size_t end = 0;
  size_t last_start = 0;
  while (end < text.size()) {
    const Character c = CharacterAt(text, end);
    if (c.char_class != CharClass::kSpace) break;
    last_start = end;
    end += c.bytes;
  }
  const bool word_behind = end < text.size();
  return word_behind && last_start > 0 ? last_start : end;
}

}  // namespace

size_t Gpt2WordLength(std::string_view text) {
  const size_t contraction = ContractionLength(text);
  if (contraction > 0) return contraction;
  const Character first = CharacterAt(text, 0);
  if (first.char_class != CharClass::kSpace) return RunEnd(text, 0, first.char_class);
  if (text[0] == ' ' && text.size() > 1) {
    const Character second = CharacterAt(text, 1);
    if (second.char_class != CharClass::kSpace) return RunEnd(text, 1, second.char_class);
  }
  return BlankLength(text);
}

}  // namespace emptor::engine
