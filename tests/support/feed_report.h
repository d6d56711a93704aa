// Reads a feed whole and counts what became of its rows: a line of the conformance table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "catalog/feed/feed_reader.h"

namespace emptor::testing {

struct FeedReport {
  catalog::FeedFormat format = catalog::FeedFormat::kAuto;
  std::vector<catalog::FeedRow> rows;
  uint64_t products = 0;
  uint64_t patches = 0;
  uint64_t deletions = 0;
  uint64_t rejected = 0;                    // rows that cannot be used
  uint64_t with_problems = 0;               // usable rows of which something was left out
  std::map<std::string, uint64_t> reasons;  // "field: reason", values taken out
  std::vector<std::string> notes;           // FeedReader::notes
  absl::Status status;                      // of the reading
};

/// Pushes `bytes` in pieces of `piece`; keeps the rows only with `keep_rows`.
FeedReport ReadFeed(std::string_view bytes, const catalog::FeedOptions& options,
                    size_t piece = 65536, bool keep_rows = true);

/// "" or what contradicts FeedRow's promises: rows out of order, lines that overlap, an unusable
/// row without reason or raw text, a product that ValidateProduct refuses for more than its
/// description.
std::string FindBrokenPromise(const FeedReport& report);

/// | name | format | rows | products | ... | reasons |
std::string TableLine(std::string_view name, const FeedReport& report);
std::string TableHead();

/// A FeedOptions::columns for the columns of the test data's amazon_in.
std::vector<catalog::ColumnMapping> AmazonColumns();

}  // namespace emptor::testing
