// The character rules of RFC 9110 and RFC 9112.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::services {

/// tchar of RFC 9110 5.6.2: the characters of methods and field names.
bool IsTokenChar(char c);
bool IsToken(std::string_view text);

/// field-value: visible ASCII, obs-text (0x80 and above), blank and tab.
bool IsFieldValue(std::string_view text);

bool IsDigits(std::string_view text);

/// The text without blanks and tabs at both ends.
std::string_view TrimBlanks(std::string_view text);

std::string AsciiLowerCase(std::string_view text);

/// True for well-formed UTF-8 (no overlong form, no surrogate, at most U+10FFFF).
bool IsUtf8(std::string_view text);

/// Decodes %XX, and '+' where `plus_is_blank`. Nothing for a broken escape, a NUL, or a result that
/// is not UTF-8.
std::optional<std::string> PercentDecode(std::string_view text, bool plus_is_blank);

/// uri-host [":" port] of RFC 3986, not empty, port 0..65535.
bool IsAuthority(std::string_view text);

}  // namespace emptor::services
