// UTF-8 checks and repairs for text that comes from outside. No tables, no locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emptor::catalog {

/// True when `text` is well-formed UTF-8 by RFC 3629: no overlong form, no surrogate, nothing above
/// U+10FFFF. Pure ASCII is checked eight bytes at a time.
bool IsValidUtf8(std::string_view text);

/// What DecodeUtf8 found at the front of a text.
struct CodePoint {
  char32_t value = 0;
  size_t bytes = 0;  // 1..4; 0 when the front of the text is not well-formed
};

/// Decodes the first code point. An empty text gives bytes == 0.
CodePoint DecodeUtf8(std::string_view text);

/// Whether line feed, carriage return and tab count as text.
enum class LineBreaks { kRefused, kAllowed };

/// Offset of the first code point that has no place in shop text: C0 and C1 controls, DEL, the
/// separators U+2028 and U+2029, and U+FFFE, U+FFFF. Nothing when the text is clean.
/// REQUIRES: IsValidUtf8(text).
std::optional<size_t> FindControlCharacter(std::string_view text, LineBreaks line_breaks);

/// A text after RemoveControlCharacters.
struct CleanedText {
  std::string text;
  bool has_lost = false;  // a character that is no white space was removed
};

/// Replaces each control character that is white space (tab, line and page breaks, U+0085, U+2028,
/// U+2029), together with the white space after it, by one blank, and removes the others.
/// Postcondition: FindControlCharacter(result.text, line_breaks) finds nothing.
/// REQUIRES: IsValidUtf8(text).
CleanedText RemoveControlCharacters(std::string_view text, LineBreaks line_breaks);

/// The longest prefix of at most `max_bytes` bytes that does not cut a code point.
/// REQUIRES: IsValidUtf8(text).
std::string_view Utf8Prefix(std::string_view text, size_t max_bytes);

}  // namespace emptor::catalog
