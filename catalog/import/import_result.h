// Results of an import: one per row of the feed, and their sums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/feed/feed_row.h"

namespace emptor::catalog {

enum class LineStatus { kCreated, kUpdated, kUnchanged, kDeleted, kError, kDuplicate };

/// Wire names: "created", "updated", "unchanged", "deleted", "error", "duplicate" (left out: the
/// article exists under another id).
std::string_view ToString(LineStatus status);

/// Result of one row of the feed. Blank lines have none.
struct LineResult {
  uint64_t line = 0;      // where the row begins, from 1
  uint64_t end_line = 0;  // where it ends
  std::string id;         // empty if the row has none
  LineStatus status = LineStatus::kError;
  std::string message;  // of an error; begins with the field
  /// What was repaired or left out, or all faults of a refused row.
  std::vector<FeedProblem> problems;
  std::string raw;           // of an error: FeedRow::raw
  std::string duplicate_of;  // id of another product of the same article; empty: none known
};

/// One line without a line feed: {"line":17,"id":"k1","status":"created"}, with "message" of an
/// error, "warnings":[{"field","reason"}] of a row that was changed on import, and "duplicate_of".
std::string ToJson(const LineResult& result);

struct ImportReport {
  uint64_t lines = 0;  // rows with a result
  uint64_t created = 0;
  uint64_t updated = 0;
  uint64_t unchanged = 0;
  uint64_t deleted = 0;
  uint64_t errors = 0;
  uint64_t warnings = 0;            // rows with warnings
  uint64_t removed = 0;             // products that a replacing feed left out
  uint64_t duplicates = 0;          // rows whose article exists under another id
  uint64_t embeddings_skipped = 0;  // products whose text did not change
  uint64_t bytes = 0;               // of the decompressed feed

  friend bool operator==(const ImportReport&, const ImportReport&) = default;
};

/// Adds one result to the sums.
void CountResult(const LineResult& result, ImportReport& report);
/// Adds `part` to `total`.
void AddReport(const ImportReport& part, ImportReport& total);

}  // namespace emptor::catalog
