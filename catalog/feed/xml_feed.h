// XML feeds: RSS 2.0 and Atom 1.0 with Google's namespace, and plain lists of products.
#pragma once

#include <memory>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// Reads UTF-8. Each <item>, <entry> or <product> is a row; elements of Google's namespace take
/// precedence over plain ones of the same meaning. An item whose text is longer than a record is
/// unusable, and so is one that is not well-formed (XmlRows), without an id. Errors of Push and
/// Finish: those of XmlRows; a document without any known element. The rows before the error remain
/// valid.
std::unique_ptr<FeedReader> MakeXmlReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
