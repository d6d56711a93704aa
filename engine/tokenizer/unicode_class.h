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

/// `text` in Unicode's composed form NFC; a text that is not UTF-8 comes back as it was.
std::string ComposeNfc(std::string_view text);

}  // namespace emptor::engine
