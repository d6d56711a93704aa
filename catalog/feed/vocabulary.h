// Reads the words of merchants' feeds: stock, condition, times, ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/product.h"

namespace emptor::catalog {

/// Without case, blanks, "-" and "_", and without the address of schema.org in front: "in stock",
/// "InStock", "https://schema.org/InStock", "Available". Nothing for words that are not listed in
/// docs/feeds.md.
std::optional<Availability> ReadAvailability(std::string_view text);
std::optional<Condition> ReadCondition(std::string_view text);

/// "not stocked", which Shopify's inventory writes for a location that does not stock a product.
bool IsNotStocked(std::string_view text);

/// "true", "yes", "1" and "false", "no", "0", without case.
std::optional<bool> ReadBool(std::string_view text);

/// Seconds since the Unix epoch of an ISO 8601 time: RFC 3339, an offset without a colon ("+0100"),
/// no seconds, no offset (UTC), or a date alone, which is its first second, or the first of the
/// next day with `end_of_day`.
std::optional<int64_t> ReadTime(std::string_view text, bool end_of_day = false);

/// "2026-11-20T00:00+0100/2026-11-28T00:00+0100"; a date at the end belongs to the interval.
std::optional<TimeRange> ReadInterval(std::string_view text);

/// An id that IsValidId as it is; any other of 1 to 512 bytes as a readable part, "-" and 12
/// hexadecimal digits of its XXH64: "SKU 12/ä" becomes "SKU-12-6f0c5a3b9d21". Equal ids stay equal,
/// so updates and deletions find their record; different ids collide with probability 2^-48.
/// Nothing for an empty or longer one, and for text that is not UTF-8.
std::optional<std::string> MapId(std::string_view id);

}  // namespace emptor::catalog
