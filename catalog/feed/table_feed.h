// Feeds with one product per row: Google's TSV, OpenAI's and Stripe's CSV, plain CSV by a mapping.
#pragma once

#include <memory>

#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// Reads UTF-8. The first record names the columns: by options.columns, else by FieldOf. The rows
/// of a table without a title column are patches of its columns. Errors of Push: kInvalidArgument
/// when no column gives the id, or a mapped column is missing.
std::unique_ptr<FeedReader> MakeTableReader(const FeedOptions& options, FeedFormat format,
                                            RowSink sink);

}  // namespace emptor::catalog
