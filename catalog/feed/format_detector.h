// Detects the format of a feed by its first bytes.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// The format of a feed. `is_acp`: JSON lines of the Agentic Commerce Protocol.
struct DetectedFormat {
  FeedFormat format = FeedFormat::kCsv;
  bool is_inventory = false;  // of kShopifyCsv: the inventory export
  bool is_acp = false;
};

/// Bytes that are examined at most.
inline constexpr size_t kDetectBytes = 64u << 10;

/// `head`: the first kDetectBytes of UTF-8 text, or all of it with `is_all`. Nothing: more bytes
/// are needed. Text of no other format is a table.
std::optional<DetectedFormat> DetectFormat(std::string_view head, bool is_all);

}  // namespace emptor::catalog
