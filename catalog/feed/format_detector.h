// What a feed is, by how it begins.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// What the beginning of a feed tells. `is_acp`: JSON lines of the Agentic Commerce Protocol.
struct DetectedFormat {
  FeedFormat format = FeedFormat::kCsv;
  bool is_inventory = false;  // of kShopifyCsv: the inventory export
  bool is_acp = false;
};

/// How much of a feed is looked at.
inline constexpr size_t kDetectBytes = 64u << 10;

/// `head`: the first kDetectBytes of UTF-8 text, or all of it with `is_all`. Nothing: more is
/// needed. Every text is something; a table when it is nothing else.
std::optional<DetectedFormat> DetectFormat(std::string_view head, bool is_all);

}  // namespace emptor::catalog
