// RFC 3339 date-times to and from seconds since the Unix epoch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emptor::catalog {

/// Seconds since 1970-01-01T00:00:00Z of "2026-11-20T12:00:00Z" or "2026-11-20T13:00:00.5+01:00".
/// Fractions of a second are truncated; a leap second counts as the second after it. Nothing for
/// any other text, including dates that do not exist.
std::optional<int64_t> ParseRfc3339(std::string_view text);

/// "2026-11-20T12:00:00Z". REQUIRES: years 0000 to 9999 (what ParseRfc3339 can give, or clamped).
std::string FormatRfc3339(int64_t unix_seconds);

}  // namespace emptor::catalog
