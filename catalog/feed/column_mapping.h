// Column mappings: what the columns of a table mean, as a short list or as a mapping with
// constants, units and separators (docs/feeds.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// A mapping in any notation (YAML, JSON): a tree of texts, lists and ordered maps.
struct MappingNode {
  enum class Kind { kText, kList, kMap };
  Kind kind = Kind::kText;
  std::string name;  // of a member of a map
  std::string text;  // kText
  std::vector<MappingNode> members;
  uint64_t line = 0;  // from 1; 0: not known
};

struct MappingLimits {
  static constexpr size_t kBytes = 64u << 10;  // of the whole text
  static constexpr size_t kNodes = 4096;
  static constexpr int kDepth = 5;
  static constexpr size_t kColumns = 200;
  static constexpr size_t kConstants = 64;
  static constexpr size_t kMarkets = 256;
  static constexpr size_t kName = 256;    // of a column or market
  static constexpr size_t kValue = 1024;  // of a constant
  static constexpr size_t kUnit = 32;
  static constexpr size_t kSeparator = 8;
};

/// Sets columns, constants, markets, delimiter and decimal mark; currency and locale where none is
/// set. `source` precedes the line in messages. Options change only if the whole mapping is valid.
/// Errors: kInvalidArgument, `mapping.yaml:7: columns: Preis: unknown field "pric"`.
absl::Status ApplyMapping(const MappingNode& root, std::string_view source, FeedOptions& options);

/// The same from one text: "Name=title,Preis=price", or a JSON object of a mapping.
/// Errors: kInvalidArgument, `columns: Preis: unknown field "pric"`.
absl::Status SetColumns(std::string_view text, FeedOptions& options);

/// A text from which SetColumns sets the same options, without currency and locale; empty without a
/// mapping.
std::string ColumnsText(const FeedOptions& options);

}  // namespace emptor::catalog
