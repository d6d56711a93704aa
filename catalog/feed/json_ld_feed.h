// Reads schema.org JSON-LD from JSON files and web pages.
#pragma once

#include <memory>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// Reads UTF-8 JSON (one document, an array or several documents in a row) or, when it begins with
/// "<", HTML. Each Product or ProductGroup is a row; other nodes are skipped. A node that is not
/// strict JSON or longer than a record is an unusable row; so is a malformed script of a page; the
/// other scripts are read. Errors of Push and Finish: JSON that is truncated or has text between
/// its values.
std::unique_ptr<FeedReader> MakeJsonLdReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
