// Reads the project's feed format, JSON lines (docs/formats/catalog_jsonl.md).
#pragma once

#include <memory>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// Reads plain UTF-8. A line that cannot be read is an unusable row and does not affect other
/// lines. Unless options.strict is set, a fault of one field is repaired or the field is left out,
/// with a problem (ReadRecordLeniently). Line feeds end lines; CR LF, a byte order mark at the
/// front, blank lines (no row) and a last line without line feed are accepted. A line is at most
/// kMaxRecordBytes. With options.patches a line gives a ProductPatch
/// (catalog/feed/product_patch.h).
std::unique_ptr<FeedReader> MakeJsonlReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
