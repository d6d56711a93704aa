// Shared by the readers of tables: turns a record of a table into a row of a feed.
#pragma once

#include <optional>
#include <string>

#include "catalog/feed/feed_row.h"
#include "catalog/feed/table_parser.h"

namespace emptor::catalog {

/// Lines and offset of the record, and its raw text.
void SetPlace(const TableRecord& record, FeedRow& row);

FeedRow MakeUnusableRow(const TableRecord& record, std::string reason);

/// Why a record cannot be used under a header of `columns`: its fault, text in more cells than
/// there are columns, or the end of the feed within it.
std::optional<std::string> FindFault(const TableRecord& record, size_t columns);

/// FeedReader::preamble of a table: its header line; "" for one that is longer than raw text may
/// be.
std::string MakePreamble(const TableRecord& header);

/// A column name for comparison: without blanks around it, A to Z in lower case.
std::string LowerName(std::string_view name);

}  // namespace emptor::catalog
