// What the fuzz targets of feeds require of any bytes: the promises of feed_row.h, and the same
// rows however the bytes were cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/support/feed_report.h"

namespace emptor::testing {

inline void RequireOfFeed(bool holds) {
  if (!holds) std::abort();
}

/// The first byte tells the size of the pieces and the options.
inline int FuzzFeed(catalog::FeedFormat format, const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view feed(reinterpret_cast<const char*>(data) + 1, size - 1);
  const catalog::FeedOptions options{.format = format,
                                     .columns = {},
                                     .currency = std::string((data[0] & 1) != 0 ? "EUR" : ""),
                                     .locale = std::string((data[0] & 2) != 0 ? "de" : ""),
                                     .patches = (data[0] & 4) != 0};
  const FeedReport whole = ReadFeed(feed, options, feed.size() + 1);
  const FeedReport cut = ReadFeed(feed, options, 1 + data[0] / 8u);
  const std::string broken = FindBrokenPromise(whole);
  if (!broken.empty()) std::fprintf(stderr, "%s\n", broken.c_str());
  RequireOfFeed(broken.empty());
  RequireOfFeed(whole.rows.size() == cut.rows.size() && whole.status == cut.status);
  RequireOfFeed(whole.format == cut.format && whole.reasons == cut.reasons);
  for (size_t i = 0; i < whole.rows.size(); ++i) {
    const catalog::FeedRow& a = whole.rows[i];
    const catalog::FeedRow& b = cut.rows[i];
    RequireOfFeed(a.line == b.line && a.end_line == b.end_line && a.end_offset == b.end_offset);
    RequireOfFeed(a.id == b.id && a.raw == b.raw && a.record.index() == b.record.index());
    if (const auto* product = std::get_if<catalog::Product>(&a.record)) {
      RequireOfFeed(*product == std::get<catalog::Product>(b.record));
    }
  }
  return 0;
}

}  // namespace emptor::testing
