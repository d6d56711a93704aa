// Unicode classes of characters in UTF-8 text, as the splitting rules of tokenizers need them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace emptor::engine {

enum class CharClass : uint8_t { kLetter, kNumber, kSpace, kPunctuation, kOther };

/// One character of a text.
struct Character {
  int32_t code_point;  // -1: a byte that is not UTF-8
  CharClass char_class;
  size_t bytes;

  bool Is(CharClass wanted) const { return char_class == wanted; }
};

/// The character at `at`; a byte that is not UTF-8 is one character of class kOther. Letters,
/// numbers and punctuation are the general categories L, N and P of Unicode, blanks are
/// White_Space. REQUIRES: at < text.size().
Character CharacterAt(std::string_view text, size_t at);

/// A character without its class.
struct CodePoint {
  int32_t value;  // -1: a byte that is not UTF-8
  size_t bytes;
};
CodePoint CodePointAt(std::string_view text, size_t at);

/// Appends the character in UTF-8. REQUIRES: a code point, no surrogate.
void AppendUtf8(int32_t code_point, std::string& out);

/// Whether the character was in that version of Unicode: published tokenizers were built on tables
/// of their time, to which a later character is unassigned.
bool IsOfUnicode(int32_t code_point, int version);

enum class UnicodeForm { kNfc, kNfd, kNfkc, kNfkd };

/// `text` in a form of Unicode; a text that is not UTF-8 comes back as it was.
std::string NormalizeUnicode(UnicodeForm form, std::string_view text);

/// Whether every byte is below 0x80.
bool IsAscii(std::string_view text);

}  // namespace emptor::engine
