// Whether a feed can be imported without a default currency, found out before anything is written.
#pragma once

#include <istream>

#include "absl/status/status.h"
#include "catalog/feed/feed_reader.h"

namespace emptor::catalog {

/// Reads the feed up to its first amount that names no currency; without one, to its end; and
/// rewinds it. A feed of JSON lines is not read: every amount there has its currency. Errors:
/// kInvalidArgument, `line 2: Variant Price: ...`, with how to name the currency. What else is
/// wrong with the feed is left to the import. Memory and time: those of the reader.
absl::Status CheckCurrencies(std::istream& feed, const FeedOptions& options);

}  // namespace emptor::catalog
