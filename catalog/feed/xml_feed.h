// XML feeds: RSS 2.0 and Atom 1.0 with Google's namespace, and plain lists of products.
#pragma once

#include <memory>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// Reads UTF-8. Each <item>, <entry> or <product> is a row; elements of Google's namespace go
/// before those of the same meaning without it. An item whose text is longer than a record is
/// unusable, and so is one that is not well-formed (XmlRows), without an id. Errors of Push and
/// Finish: those of XmlRows; a document of which no element is known. The rows before stand.
std::unique_ptr<FeedReader> MakeXmlReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
