// Places and faults of rows.
#include "catalog/feed/table_row.h"

#include <algorithm>
#include <utility>

#include "catalog/feed/amount.h"
#include "fmt/format.h"

namespace emptor::catalog {

void SetPlace(const TableRecord& record, FeedRow& row) {
  row.line = record.line;
  row.end_line = record.end_line;
  row.end_offset = record.end_offset;
  row.raw = std::string(record.raw.substr(0, FeedRow::kMaxRawBytes));
}

FeedRow MakeUnusableRow(const TableRecord& record, std::string reason) {
  FeedRow row;
  row.problems.push_back({"row", std::move(reason)});
  SetPlace(record, row);
  return row;
}

std::optional<std::string> FindFault(const TableRecord& record, size_t columns) {
  if (!record.fault.empty()) return record.fault;
  const size_t cells = record.cells.size();
  const bool more = cells > columns &&
                    std::any_of(record.cells.begin() + static_cast<ptrdiff_t>(columns),
                                record.cells.end(), [](std::string_view c) { return !c.empty(); });
  if (more) return fmt::format("expected {} columns, found {}", columns, cells);
  if (record.is_last_and_open && cells < columns) {
    return fmt::format("the feed ends within it: expected {} columns, found {}", columns, cells);
  }
  return std::nullopt;
}

std::string MakePreamble(const TableRecord& header) {
  return header.raw.size() < FeedRow::kMaxRawBytes ? fmt::format("{}\n", header.raw) : "";
}

std::string LowerName(std::string_view name) {
  std::string lower(Trimmed(name));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

}  // namespace emptor::catalog
