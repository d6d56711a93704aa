// Base64 by RFC 4648: the standard alphabet with padding, and the one for URLs without.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::catalog {

/// Section 4, padded, without line breaks.
std::string EncodeBase64(std::string_view bytes);
/// Nothing for text that is not padded, or has any other character (a line break, a blank).
std::optional<std::string> DecodeBase64(std::string_view text);

/// Section 5, without padding.
std::string EncodeBase64Url(std::string_view bytes);
/// Nothing for text that EncodeBase64Url does not write: the encoding of each text is unique.
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace emptor::catalog
