// schema.org JSON-LD: files of it, and web pages that hold it.
#pragma once

#include <memory>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// Reads UTF-8 JSON (one document, an array or several behind each other) or, when it begins with
/// "<", HTML. Each Product or ProductGroup is a row; other nodes are none. A node that is not
/// strict JSON or longer than a record is an unusable row; so is a broken script of a page, and
/// the page goes on. Errors of Push and Finish: JSON that is cut or has text between its values.
std::unique_ptr<FeedReader> MakeJsonLdReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
